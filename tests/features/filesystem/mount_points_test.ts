/** delete never empties what is mounted, nor the home under another path. */

import { expect } from "expect";
import { join } from "node:path";
import { readLinuxMountPoints } from "../../../src/platform/linux/files/file_system.ts";
import { namesIn, openFilesApp } from "./files_app.ts";
import { bindOver, cannotMount, mountSmall } from "./mounts.ts";

const mountless = await cannotMount();

Deno.test("delete and move refuse the home and folders above it through a mount", {
  ignore: mountless,
}, async () => {
  await using app = await openFilesApp();
  await app.put("kept", "");
  const alias = join(app.home, "../alias");
  await Deno.mkdir(alias);
  for (const folder of [app.home, join(app.home, "..")]) {
    await using _mounted = await bindOver(folder, alias);
    const body = { path: alias, recursive: true };
    expect(await app.refused(403, "filesystem/delete", body)).toContain("home");
    await app.refused(403, "filesystem/move", { source: alias, destination: "/dev/shm/alias" });
    expect(namesIn(app.home)).toEqual(["kept"]);
  }
});

Deno.test("delete refuses a folder with a mount of the same file system in it", {
  ignore: mountless,
}, async () => {
  await using app = await openFilesApp();
  await app.put("precious/kept", "");
  await app.put("gone/other", "");
  await Deno.mkdir(app.at("gone/a b\\c"));
  await using _mounted = await bindOver(app.at("precious"), app.at("gone/a b\\c"));
  for (const path of ["gone", "gone/a b\\c"]) {
    const said = await app.refused(409, "filesystem/delete", { path, recursive: true });
    expect(said).toContain("is mounted at");
  }
  expect(namesIn(app.at("precious"))).toEqual(["kept"]);
  expect(namesIn(app.at("gone"))).toEqual(["a b\\c", "other"]);
});

Deno.test("delete refuses another file system, and move to yet another one does", {
  ignore: mountless,
}, async () => {
  await using app = await openFilesApp();
  await using mounted = await mountSmall("1m");
  await Deno.writeTextFile(join(mounted.folder, "kept"), "");
  await app.refused(409, "filesystem/delete", { path: mounted.folder, recursive: true });
  const body = { source: mounted.folder, destination: "elsewhere" };
  await app.refused(409, "filesystem/move", body);
  expect(namesIn(mounted.folder)).toEqual(["kept"]);
  expect(namesIn(app.home)).toEqual([]);
});

Deno.test("readLinuxMountPoints() reads blanks, line breaks and letters beyond ASCII", async () => {
  const file = await Deno.makeTempFile();
  const line = (path: string) => `42 27 254:0 /a ${path} rw - ext4 /dev/vda rw\n`;
  await Deno.writeTextFile(file, line("/x\\040y\\134z\\012") + line("/日本"));
  expect(await readLinuxMountPoints(file)).toEqual(["/x y\\z\n", "/日本"]);
  await Deno.remove(file);
});
