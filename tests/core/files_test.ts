/** What is there at a path, and what is removed, on the real file system. */

import { expect } from "expect";
import { join } from "node:path";
import {
  isThere,
  lstatIfThere,
  nearestFolder,
  removeIfThere,
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
