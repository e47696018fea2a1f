/** str-replace: every occurrence, and not one byte more. */

import { expect } from "expect";
import fc from "fast-check";
import { namesIn, openFilesApp } from "../filesystem/files_app.ts";

const GIB = 2 ** 30;

Deno.test("str-replace replaces all occurrences, and leaves every other byte alone", async () => {
  await using app = await openFilesApp();
  const encoder = new TextEncoder();
  const latin = Uint8Array.of(0xe4, 0xf6, 0xfc);
  const before = [...encoder.encode("\ufeffa\r\nfoo\tfoo\r\n"), ...latin, ...encoder.encode("foo")];
  const after = [...encoder.encode("\ufeffa\r\nbär\tbär\r\n"), ...latin, ...encoder.encode("bär")];
  await app.put("x", Uint8Array.from(before));
  await app.call("editor/str-replace", { path: "x", old_str: "foo", new_str: "bär" });
  expect([...await Deno.readFile(app.at("x"))]).toEqual(after);
});

Deno.test("str-replace works from left to right, without overlap", async () => {
  await using app = await openFilesApp();
  await app.put("x", "aaaaa");
  await app.call("editor/str-replace", { path: "x", old_str: "aa", new_str: "b" });
  expect(await Deno.readTextFile(app.at("x"))).toBe("bba");
});

Deno.test("str-replace equals a simple model for any bytes", async () => {
  await using app = await openFilesApp({ folder: "/dev/shm" });
  const piece = fc.oneof(
    fc.constantFrom("a", "b", "ab", "\n", "\r\n", "\ufeff", "é", "日"),
    fc.string({ maxLength: 3, unit: "grapheme" }),
  );
  const noise = fc.uint8Array({ maxLength: 6 });
  const file = fc.array(fc.oneof(piece.map((text) => new TextEncoder().encode(text)), noise), {
    maxLength: 40,
  });
  const wanted = piece.filter((text) => text !== "" && text.isWellFormed());
  const instead = piece.filter((text) => text.isWellFormed());
  await fc.assert(
    fc.asyncProperty(file, wanted, instead, async (parts, old_str, new_str) => {
      const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
      await app.put("x", bytes);
      const expected = model(bytes, old_str, new_str);
      const body = { path: "x", old_str, new_str };
      if (expected === undefined) await app.refused(422, "editor/str-replace", body);
      else await app.call("editor/str-replace", body);
      expect([...await Deno.readFile(app.at("x"))]).toEqual([...expected ?? bytes]);
      const hasEdited = expected !== undefined && old_str !== new_str;
      if (hasEdited) await app.call("editor/undo-edit", { path: "x" });
      const now = hasEdited ? bytes : expected ?? bytes;
      expect([...await Deno.readFile(app.at("x"))]).toEqual([...now]);
    }),
    { numRuns: 500 },
  );
});

/** The bytes afterwards, by the plainest way; `undefined` when nothing is found. */
function model(bytes: Uint8Array, old: string, fresh: string): Uint8Array | undefined {
  const [wanted, instead] = [new TextEncoder().encode(old), new TextEncoder().encode(fresh)];
  const result: number[] = [];
  let found = false;
  for (let index = 0; index < bytes.length;) {
    if (wanted.every((byte, offset) => bytes[index + offset] === byte)) {
      result.push(...instead);
      index += wanted.length;
      found = true;
    } else result.push(bytes[index++]!);
  }
  return found ? Uint8Array.from(result) : undefined;
}

Deno.test("str-replace finds what lies across the stretches that it searches at a time", async () => {
  await using app = await openFilesApp();
  const stretch = 4 * 1024 * 1024;
  const text = "x".repeat(stretch - 2) + "needle" + "y".repeat(stretch) + "needleneedle";
  await app.put("x", text);
  await app.call("editor/str-replace", { path: "x", old_str: "needle", new_str: "pin" });
  expect(await Deno.readTextFile(app.at("x")) === text.replaceAll("needle", "pin")).toBe(true);
  const run = "a".repeat(2 * stretch + 3);
  await app.put("run", run);
  await app.call("editor/str-replace", { path: "run", old_str: "aaaaa", new_str: "b" });
  expect(await Deno.readTextFile(app.at("run")) === run.replaceAll("aaaaa", "b")).toBe(true);
});

Deno.test("str-replace that finds nothing is 422 on old_str, and touches nothing", async () => {
  await using app = await openFilesApp();
  const path = await app.put("x", "a\r\nb");
  const before = await Deno.stat(path);
  const body = { path: "x", old_str: "a\nb", new_str: "c" };
  const [error] = await app.refused(422, "editor/str-replace", body);
  expect(error).toMatchObject({ loc: ["body", "old_str"], type: "value_error" });
  expect(error.msg).toContain("\\r\\n");
  expect(error.msg).not.toContain("a\nb");
  const empty = await app.refused(422, "editor/str-replace", { ...body, old_str: "" });
  expect(empty[0].type).toBe("string_too_short");
  const after = await Deno.stat(path);
  expect([after.mtime, after.ino]).toEqual([before.mtime, before.ino]);
});

Deno.test("str-replace keeps mode, owner, links, and leaves nothing else in the folder", async () => {
  await using app = await openFilesApp();
  await app.put("real/x", "foo");
  await Deno.chmod(app.at("real/x"), 0o4751);
  if (Deno.uid() === 0) await Deno.chown(app.at("real/x"), 1234, 2345);
  await Deno.chmod(app.at("real/x"), 0o4751);
  await Deno.symlink("real/x", app.at("link"));
  const before = await Deno.stat(app.at("real/x"));
  await app.call("editor/str-replace", { path: "link", old_str: "foo", new_str: "bar" });
  const after = await Deno.stat(app.at("real/x"));
  expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid]);
  expect((await Deno.lstat(app.at("link"))).isSymlink).toBe(true);
  expect(namesIn(app.at("real"))).toEqual(["x"]);
});

Deno.test("str-replace above the limit is 413 naming it, before and after the edit", async () => {
  await using app = await openFilesApp();
  await app.put("big", "foo");
  await Deno.truncate(app.at("big"), GIB);
  const body = { path: "big", old_str: "foo", new_str: "bar" };
  expect(await app.refused(413, "editor/str-replace", body)).toContain("268435456");
  await using small = await openFilesApp({ limits: { maxEditBytes: 100, maxReplacements: 20 } });
  await small.put("x", "ab".repeat(20));
  const grow = { path: "x", old_str: "a", new_str: "a".repeat(10) };
  expect(await small.refused(413, "editor/str-replace", grow)).toContain("100");
  await small.put("many", "a".repeat(21));
  const many = { path: "many", old_str: "a", new_str: "b" };
  expect(await small.refused(413, "editor/str-replace", many)).toContain("more than 20");
  expect(await Deno.readTextFile(small.at("x"))).toBe("ab".repeat(20));
});

Deno.test("str-replace of a text by itself succeeds, and writes nothing", async () => {
  await using app = await openFilesApp();
  const path = await app.put("x", "foo");
  const { ino } = await Deno.stat(path);
  await app.call("editor/str-replace", { path: "x", old_str: "foo", new_str: "foo" });
  expect((await Deno.stat(path)).ino).toBe(ino);
});
