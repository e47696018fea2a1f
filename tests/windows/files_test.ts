/** The editor and the files of the service on Windows, asked for over HTTP from this system. */

import { expect } from "expect";
import { join } from "node:path";
import { openWine, type Wine, wineTest } from "../support/wine.ts";
import { startWineService, type WineService } from "../support/wine_service.ts";

wineTest("the editor and the files of the service on Windows", async () => {
  await using wine = await openWine();
  await using service = await startWineService(wine);
  await testEditor(wine, service);
  await testFiles(wine, service);
});

/** Creates, shows, changes and undoes. */
async function testEditor(wine: Wine, service: WineService): Promise<void> {
  const call = (name: string, body: Record<string, unknown>) =>
    service.call(`/api/editor/${name}`, body);
  const path = "C:\\work\\Büro 漢\\a.txt";
  const onDisk = () => Deno.readTextFileSync(join(wine.drive, "work", "Büro 漢", "a.txt"));

  await call("create", { path, file_text: "one\r\ntwo é\r\n" });
  expect(onDisk()).toBe("one\r\ntwo é\r\n");
  expect(await service.refused(400, "/api/editor/create", { path })).toContain("already exists");
  expect(await call("view", { path: "C:/work/Büro 漢/a.txt", view_range: [2, 2] })).toBe(
    "two é\r\n",
  );
  await call("str-replace", { path, old_str: "two", new_str: "zwei" });
  await call("insert", { path, text: "three" });
  expect(onDisk()).toBe("one\r\nzwei é\r\nthree\r\n");
  await call("undo-edit", { path: path.toUpperCase() });
  await call("undo-edit", { path });
  expect(onDisk()).toBe("one\r\ntwo é\r\n");
  await call("undo-edit", { path });
  expect(() => onDisk()).toThrow(Deno.errors.NotFound);
}

/** Lists, finds, writes, copies, moves and deletes. */
async function testFiles(wine: Wine, service: WineService): Promise<void> {
  const call = (name: string, body: Record<string, unknown>) =>
    service.call(`/api/filesystem/${name}`, body);
  const write = (path: string, content: string, more = {}) =>
    call("write", { path, content, ...more });
  const names = (entries: { name: string }[]) => entries.map(({ name }) => name);

  await write("C:\\t\\b\\c.txt", "x");
  await write("C:\\t\\B\\C.TXT", "yes", { overwrite: true });
  const read = await call("read", { path: "c:/t/b/c.txt" });
  expect(read).toEqual({ content: "yes", encoding: "text", size: 3, next_offset: 3 });
  await write("C:\\t\\.dot", "");
  await write("C:\\t\\marked.txt", "");
  await service.call("/api/bash/command", { command: "attrib +h C:\\t\\marked.txt" });

  expect(names(await call("list", { path: "C:\\t" }))).toEqual(["b"]);
  const all = await call("list", { path: "C:\\t", include_hidden: true });
  expect(all).toMatchObject([
    { name: "b", path: "C:\\t\\b", type: "directory", is_hidden: false },
    { name: ".dot", path: "C:\\t\\.dot", type: "file", is_hidden: true },
    { name: "marked.txt", path: "C:\\t\\marked.txt", is_hidden: true, extension: "txt" },
  ]);
  expect(await service.call("/api/filesystem/info/C:%5Ct%5Cmarked.txt")).toEqual(all[2]);
  expect(names(await call("search", { root_path: "C:\\t", pattern: "*.txt" }))).toEqual(["c.txt"]);
  const found = await call("search", { root_path: "C:\\", pattern: "t/b/*.txt" });
  expect(found).toMatchObject([{ path: "C:\\t\\b\\c.txt" }]);
  expect(await call("tree", { path: "C:\\t" })).toEqual({
    ...{ name: "t", type: "directory" },
    children: [{ name: "b", type: "directory", children: [{ name: "c.txt", type: "file" }] }],
  });

  await call("copy", { source: "C:\\t", destination: "C:\\t2" });
  expect((await call("read", { path: "C:\\t2\\b\\c.txt" })).content).toBe("yes");
  await call("move", { source: "C:\\t2", destination: "C:\\t3" });
  const taken = { source: "C:\\t3", destination: "C:\\t" };
  expect(await service.refused(400, "/api/filesystem/move", taken)).toContain("already exists");
  await call("move", { source: "C:\\t3\\b\\c.txt", destination: "C:\\t\\d.txt" });
  const onto = { source: "C:\\t\\d.txt", destination: "C:\\t\\b\\c.txt" };
  expect(await service.refused(400, "/api/filesystem/move", onto)).toContain("already exists");
  await call("move", { ...onto, overwrite: true });
  await call("copy", {
    source: "C:\\t\\b\\c.txt",
    destination: "Z:\\tmp\\..\\" + onDrive(wine.drive),
  });
  const full = { path: "C:\\t3" };
  expect(await service.refused(400, "/api/filesystem/delete", full)).toContain("not empty");
  await call("delete", { ...full, recursive: true });
  expect(await service.refused(404, "/api/filesystem/read", full)).toContain("no such file");
  for (const path of ["C:\\", "~", "C:\\users"]) {
    await service.refused(403, "/api/filesystem/delete", { path, recursive: true });
  }
  await call("mkdir", { path: "~\\new\\folder" });
  expect(names(await call("list", { path: "~/new" }))).toEqual(["folder"]);
}

/** A file on drive C, as drive Z shows it. */
function onDrive(drive: string): string {
  return `${drive.slice(1).replaceAll("/", "\\")}\\t\\across.txt`;
}
