/** info: one entry, by every spelling of its path. */

import { expect } from "expect";
import { openFilesApp } from "./files_app.ts";

Deno.test("info takes a path encoded, plain, and relative to the home", async () => {
  await using app = await openFilesApp();
  const path = await app.put("a b.txt", "12345");
  for (
    const spelling of [
      encodeURIComponent(path),
      path.replaceAll(" ", "%20"),
      encodeURI(path),
      "a%20b.txt",
      "~%2Fa%20b.txt",
      "~/a%20b.txt",
      "./a%20b.txt",
      "a%20b.txt/",
      "x%2F..%2Fa%20b.txt",
    ]
  ) {
    const { status, json } = await app.info(spelling);
    expect({ spelling, status, path: json.path }).toEqual({ spelling, status: 200, path });
  }
});

Deno.test("info decodes once: a name may hold %20, and any letters", async () => {
  await using app = await openFilesApp();
  for (const name of ["a%20b", "a b", "100%", "日本 😀", "a+b", "q?x#y", "a\nb", "%2F"]) {
    await app.put(name, name);
    for (const spelling of [encodeURIComponent(name), encodeURIComponent(app.at(name))]) {
      const { json } = await app.info(spelling);
      expect(json).toMatchObject({ name, size: new TextEncoder().encode(name).length });
    }
  }
});

Deno.test("info refuses a percent sign that starts no escape, and what is not there", async () => {
  await using app = await openFilesApp();
  const bad = await app.info("100%");
  expect(bad.status).toBe(422);
  expect(bad.json.detail[0]).toMatchObject({ loc: ["path", "path"], type: "value_error" });
  const user = await app.info("~root%2Fx");
  expect(user.json.detail[0]).toMatchObject({ loc: ["path", "path"], type: "value_error" });
  expect((await app.info("a%00b")).status).toBe(422);
  const missing = await app.info("nothing%20here");
  expect(missing.status).toBe(404);
  expect(missing.json.detail).toContain("nothing here");
  expect((await app.info("")).status).toBe(404);
  await app.put("file", "");
  const below = await app.info("file/below");
  expect(below.status).toBe(400);
});

Deno.test("info knows folders, hidden names, extensions and the root", async () => {
  await using app = await openFilesApp();
  await app.put(".config/.bashrc", "");
  await app.put("a.tar.gz", "");
  await app.put("folder.d/x.", "");
  const fields = async (path: string) => {
    const { name, type, is_hidden, extension } = (await app.info(path)).json;
    return [name, type, is_hidden, extension];
  };
  expect(await fields(".config")).toEqual([".config", "directory", true, null]);
  expect(await fields(".config/.bashrc")).toEqual([".bashrc", "file", true, null]);
  expect(await fields("a.tar.gz")).toEqual(["a.tar.gz", "file", false, "gz"]);
  expect(await fields("folder.d")).toEqual(["folder.d", "directory", false, null]);
  expect(await fields("folder.d/x.")).toEqual(["x.", "file", false, null]);
  expect(await fields("%2F")).toEqual(["/", "directory", false, null]);
  expect(await fields("~")).toEqual(["home", "directory", false, null]);
});

Deno.test("info gives the local time of the last change, with a fraction only where there is one", async () => {
  await using app = await openFilesApp();
  const path = await app.put("x", "");
  const time = new Date(2024, 1, 3, 4, 5, 6);
  await Deno.utime(path, time, time);
  expect((await app.info("x")).json.modified_time).toBe("2024-02-03T04:05:06");
  const later = new Date(2024, 1, 3, 4, 5, 6, 70);
  await Deno.utime(path, later, later);
  expect((await app.info("x")).json.modified_time).toBe("2024-02-03T04:05:06.070000");
});

Deno.test("info of a link tells about what it leads to, of a dangling one about itself", async () => {
  await using app = await openFilesApp();
  await app.put("real/x", "12345");
  await Deno.symlink("real/x", app.at("link"));
  await Deno.symlink("real", app.at("folder"));
  await Deno.symlink("gone", app.at("dangling"));
  await Deno.symlink("circle", app.at("circle"));
  expect((await app.info("link")).json).toMatchObject({ name: "link", type: "file", size: 5 });
  expect((await app.info("folder/")).json).toMatchObject({ name: "folder", type: "directory" });
  expect((await app.info("dangling")).json).toMatchObject({ name: "dangling", type: "file" });
  expect((await app.info("circle")).json).toMatchObject({ name: "circle", type: "file" });
});
