/** read and write: parts, encodings, new files and old ones. */

import { expect } from "expect";
import { namesIn, openFilesApp } from "./files_app.ts";

Deno.test("read gives text and base64, whole or in parts", async () => {
  await using app = await openFilesApp();
  await app.put("x", "hello world");
  expect(await app.call("filesystem/read", { path: "x" })).toEqual({
    content: "hello world",
    encoding: "text",
    size: 11,
    next_offset: 11,
  });
  expect(await app.call("filesystem/read", { path: "x", offset: 6, length: 3 })).toEqual({
    content: "wor",
    encoding: "text",
    size: 11,
    next_offset: 9,
  });
  const base64 = await app.call("filesystem/read", { path: "x", encoding: "base64", length: 5 });
  expect(base64).toMatchObject({ content: btoa("hello"), next_offset: 5 });
  const beyond = await app.call("filesystem/read", { path: "x", offset: 99 });
  expect(beyond).toMatchObject({ content: "", next_offset: 11 });
});

Deno.test("read never splits a character, whatever the length", async () => {
  await using app = await openFilesApp();
  const text = "aé日😀\u0301z".repeat(20);
  await app.put("x", text);
  for (const length of [1, 2, 3, 4, 5, 7, 11]) {
    let content = "";
    let offset = 0;
    for (let size = 1; offset < size;) {
      const part = await app.call("filesystem/read", { path: "x", offset, length });
      expect(part.next_offset).toBeGreaterThan(offset);
      ({ next_offset: offset, size } = part);
      content += part.content;
    }
    expect(content).toBe(text);
  }
});

Deno.test("read shows bytes that are no UTF-8 as U+FFFD, and goes on", async () => {
  await using app = await openFilesApp();
  await app.put("x", Uint8Array.of(97, 0xff, 0x80, 0x80, 0x80, 0x80, 98));
  const whole = await app.call("filesystem/read", { path: "x" });
  expect(whole.content).toBe("a\ufffd\ufffd\ufffd\ufffd\ufffdb");
  const part = await app.call("filesystem/read", { path: "x", offset: 1, length: 2 });
  expect(part.next_offset).toBeGreaterThan(1);
});

Deno.test("write makes files and folders, and replaces only when told to", async () => {
  await using app = await openFilesApp();
  await app.call("filesystem/write", { path: "a/b/c.txt", content: "one" });
  expect(await Deno.readTextFile(app.at("a/b/c.txt"))).toBe("one");
  const again = { path: "a/b/c.txt", content: "two" };
  expect(await app.refused(400, "filesystem/write", again)).toContain('"overwrite": true');
  await app.call("filesystem/write", { ...again, overwrite: true });
  expect(await Deno.readTextFile(app.at("a/b/c.txt"))).toBe("two");
  await app.call("filesystem/write", { path: "new", content: "", overwrite: true });
  expect(await Deno.readTextFile(app.at("new"))).toBe("");
  expect(namesIn(app.at("a/b"))).toEqual(["c.txt"]);
});

Deno.test("write takes base64, and refuses what is none", async () => {
  await using app = await openFilesApp();
  const bytes = Uint8Array.of(0, 255, 10, 13);
  const content = bytes.toBase64();
  await app.call("filesystem/write", { path: "x", content, encoding: "base64" });
  expect(await Deno.readFile(app.at("x"))).toEqual(bytes);
  const bad = { path: "y", content: "a*b", encoding: "base64" };
  const [error] = await app.refused(422, "filesystem/write", bad);
  expect(error).toMatchObject({ loc: ["body", "content"], type: "value_error" });
  expect(namesIn(app.home)).toEqual(["x"]);
});

Deno.test("write goes through links, and keeps mode and link", async () => {
  await using app = await openFilesApp();
  await app.put("real/x", "old");
  await Deno.chmod(app.at("real/x"), 0o640);
  await Deno.symlink("real/x", app.at("link"));
  await Deno.symlink("real/new", app.at("dangling"));
  await app.call("filesystem/write", { path: "link", content: "new", overwrite: true });
  expect(await Deno.readTextFile(app.at("real/x"))).toBe("new");
  expect((await Deno.stat(app.at("real/x"))).mode! & 0o777).toBe(0o640);
  expect((await Deno.lstat(app.at("link"))).isSymlink).toBe(true);
  expect(await app.refused(400, "filesystem/write", { path: "dangling", content: "x" }))
    .toContain("exists");
  await app.call("filesystem/write", { path: "dangling", content: "made", overwrite: true });
  expect(await Deno.readTextFile(app.at("real/new"))).toBe("made");
});

Deno.test("write replaces a file that another program makes at that moment", async () => {
  await using app = await openFilesApp();
  const { realPath } = Deno;
  Deno.realPath = async (path) => {
    Deno.realPath = realPath;
    await realPath(path).finally(() => app.put("x", "made"));
    return await realPath(path);
  };
  await app.call("filesystem/write", { path: "x", content: "new", overwrite: true });
  expect(await Deno.readTextFile(app.at("x"))).toBe("new");
});

Deno.test("write refuses folders and paths through files, and leaves no folder behind", async () => {
  await using app = await openFilesApp();
  await app.put("file", "x");
  await Deno.mkdir(app.at("folder"));
  const over = { content: "y", overwrite: true };
  expect(await app.refused(400, "filesystem/write", { path: "folder", ...over })).toContain(
    "folder",
  );
  expect(await app.refused(400, "filesystem/write", { path: "file/a/b", ...over })).toContain(
    "file",
  );
  expect(await app.refused(400, "filesystem/mkdir", { path: "file" })).toContain("exists");
  expect(await app.refused(400, "filesystem/mkdir", { path: "file/x" })).toContain("not a folder");
  await app.call("filesystem/mkdir", { path: "folder" });
  await app.call("filesystem/mkdir", { path: "p/q/r" });
  expect(namesIn(app.home)).toEqual(["file", "folder", "p"]);
});
