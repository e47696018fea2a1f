/** What is there at a path, and what is removed, on the real file system. */

import { expect } from "expect";
import { join } from "node:path";
import {
  isThere,
  lstatIfThere,
  nearestFolder,
  removeIfThere,
  replaceAtomically,
  syncFolder,
} from "../../src/core/files.ts";
import { unless } from "../support/test_if.ts";

Deno.test("isThere() sees files, folders and dangling links, and nothing else", {
  ignore: unless(Deno.build.os !== "windows", "links need a privilege there"),
}, async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [file, link, none] = ["file", "link", "none"].map((name) => join(folder, name));
    await Deno.writeTextFile(file!, "");
    await Deno.symlink(none!, link!);
    expect(await isThere(folder)).toBe(true);
    expect(await isThere(file!)).toBe(true);
    expect(await isThere(link!)).toBe(true);
    expect(await isThere(none!)).toBe(false);
    expect((await lstatIfThere(link!))?.isSymlink).toBe(true);
    expect(await lstatIfThere(none!)).toBeUndefined();
    // whether it is there cannot be known
    await expect(isThere("\0")).rejects.toThrow();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("removeIfThere() removes what is there, and a full folder only when told to", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(join(folder, "file"), "");
  await expect(removeIfThere(folder)).rejects.toThrow();
  await removeIfThere(join(folder, "file"));
  await Deno.writeTextFile(join(folder, "file"), "");
  await removeIfThere(folder, { recursive: true });
  expect(await isThere(folder)).toBe(false);
  await removeIfThere(folder);
});

const namesIn = async (folder: string) =>
  (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
const bytesOf = (text: string) => new TextEncoder().encode(text);

Deno.test("replaceAtomically() has the new file on the disk before it is in its place", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "file");
  await Deno.writeTextFile(path, "the old one, which is longer");
  await Deno.writeTextFile(`${path}.new`, "left by a crash", { mode: 0o644 });
  const order: string[] = [];
  const { rename } = Deno;
  const { sync } = Deno.FsFile.prototype;
  Deno.FsFile.prototype.sync = function () {
    order.push("sync");
    return sync.call(this);
  };
  Deno.rename = (from, to) => {
    order.push("rename");
    return rename(from, to);
  };
  try {
    const { size } = await replaceAtomically(path, bytesOf("new"), 0o600);
    expect(size).toBe(3);
  } finally {
    Deno.rename = rename;
    Deno.FsFile.prototype.sync = sync;
  }
  expect(order).toEqual(["sync", "rename"]);
  expect(await Deno.readTextFile(path)).toBe("new");
  if (Deno.build.os !== "windows") expect((await Deno.stat(path)).mode! & 0o777).toBe(0o600);
  expect(await namesIn(folder)).toEqual(["file"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("replaceAtomically() leaves the old file, and nothing else, when it fails", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "file");
  await Deno.writeTextFile(path, "old");
  const { write } = Deno.FsFile.prototype;
  let isFirst = true;
  Deno.FsFile.prototype.write = function (bytes) {
    if (!isFirst) return Promise.reject(new Error("No space left"));
    isFirst = false;
    return write.call(this, bytes.subarray(0, 1));
  };
  try {
    await expect(replaceAtomically(path, bytesOf("longer"), 0o600)).rejects.toThrow("No space");
  } finally {
    Deno.FsFile.prototype.write = write;
  }
  expect(await Deno.readTextFile(path)).toBe("old");
  expect(await namesIn(folder)).toEqual(["file"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("syncFolder() leaves alone what cannot be opened as a folder", async () => {
  const folder = await Deno.makeTempDir();
  await syncFolder(folder);
  await Deno.remove(folder);
  await syncFolder(folder);
});

Deno.test("nearestFolder() goes up to what is there", async () => {
  const folder = await Deno.makeTempDir();
  expect(await nearestFolder(join(folder, "none", "none"))).toBe(folder);
  expect(await nearestFolder(folder)).toBe(folder);
  await Deno.remove(folder);
});
