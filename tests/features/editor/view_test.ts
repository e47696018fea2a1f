/** view: the text of a file, or some of its lines, byte for byte. */

import { expect } from "expect";
import { openFilesApp } from "../filesystem/files_app.ts";

const GIB = 2 ** 30;

Deno.test("view gives the text as it is: line breaks, tabs, byte order mark, no last newline", async () => {
  await using app = await openFilesApp();
  for (const text of ["", "a", "a\n", "a\r\n\tb\r\nc", "\ufeffa\n", "日本😀\n\n\n", "a\0b"]) {
    await app.put("x", text);
    expect(await app.call("editor/view", { path: "x" })).toBe(text);
    expect(await app.call("editor/view", { path: "x", view_range: null })).toBe(text);
  }
});

Deno.test("view shows bytes that are not UTF-8 as U+FFFD", async () => {
  await using app = await openFilesApp();
  await app.put("x", Uint8Array.of(97, 0xe4, 98, 10));
  expect(await app.call("editor/view", { path: "x" })).toBe("a\ufffdb\n");
});

Deno.test("view gives ranges of lines, which together are the file", async () => {
  await using app = await openFilesApp();
  const lines = Array.from({ length: 1_000 }, (_, index) => `${index + 1}é\r\n`.repeat(1));
  await app.put("x", lines.join("") + "last");
  const view = (range: number[]) => app.call("editor/view", { path: "x", view_range: range });
  expect(await view([1, 1])).toBe("1é\r\n");
  expect(await view([3, 5])).toBe("3é\r\n4é\r\n5é\r\n");
  expect(await view([1000, -1])).toBe("1000é\r\nlast");
  expect(await view([1001, 1001])).toBe("last");
  expect(await view([999, 5_000])).toBe("999é\r\n1000é\r\nlast");
  expect(await view([1, 400]) + await view([401, -1])).toBe(lines.join("") + "last");
});

Deno.test("view refuses ranges that cannot be, naming the number of lines", async () => {
  await using app = await openFilesApp();
  await app.put("x", "a\nb\n");
  await app.put("empty", "");
  const errors: [number[], (string | number)[], string][] = [
    [[3, -1], ["body", "view_range", 0], "has 2 lines"],
    [[0, 1], ["body", "view_range", 0], "first line is 1"],
    [[2, 1], ["body", "view_range", 1], "2 or greater"],
    [[-1, -1], ["body", "view_range", 0], "first line is 1"],
  ];
  for (const [view_range, loc, words] of errors) {
    const [error] = await app.refused(422, "editor/view", { path: "x", view_range });
    expect(error).toMatchObject({ loc, type: "value_error" });
    expect(error.msg).toContain(words);
  }
  const types: [unknown, string][] = [
    [[1], "too_short"],
    [[1, 2, 3], "too_long"],
    [[1, 1.5], "int_from_float"],
    [["1", 2], "int_type"],
    [5, "list_type"],
    [[1, -2], "greater_than_equal"],
  ];
  for (const [view_range, type] of types) {
    const [error] = await app.refused(422, "editor/view", { path: "x", view_range });
    expect(error.type).toBe(type);
  }
  expect(await app.call("editor/view", { path: "empty", view_range: [1, -1] })).toBe("");
});

Deno.test("view of more than the limit is 413 and names the way out", async () => {
  await using app = await openFilesApp({ limits: { maxViewBytes: 1_000 } });
  await app.put("x", "0123456789\n".repeat(100));
  const detail = await app.refused(413, "editor/view", { path: "x" });
  expect(detail).toContain("1000 bytes");
  expect(detail).toContain("view_range");
  expect(await app.call("editor/view", { path: "x", view_range: [1, 90] })).toHaveLength(990);
});

Deno.test("view of a range reads only what it needs of a file of 1 GiB", async () => {
  await using app = await openFilesApp();
  await app.put("big", "first\nsecond\nthird\n");
  await Deno.truncate(app.at("big"), GIB);
  const read = await bytesReadBy(async () => {
    expect(await app.call("editor/view", { path: "big", view_range: [2, 3] })).toBe(
      "second\nthird\n",
    );
  });
  expect(read).toBeLessThan(4 * 2 ** 20);
  expect(await app.refused(413, "editor/view", { path: "big" })).toContain("view_range");
});

Deno.test("view tells what is wrong with the path", async () => {
  await using app = await openFilesApp();
  await app.put("file", "");
  expect(await app.refused(404, "editor/view", { path: "gone" })).toContain("no such file");
  expect(await app.refused(400, "editor/view", { path: "~" })).toContain("folder");
  expect(await app.refused(400, "editor/view", { path: "file/x" })).toContain("not a folder");
});

/** Bytes that this process read from files and sockets meanwhile. */
async function bytesReadBy(work: () => Promise<void>): Promise<number> {
  const count = async () =>
    Number((await Deno.readTextFile("/proc/self/io")).match(/^rchar: (\d+)/m)![1]);
  const before = await count();
  await work();
  return await count() - before;
}
