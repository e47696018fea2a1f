/** move, copy and delete: whole or not at all, and never more than was asked for. */

import { expect } from "expect";
import { namesIn, openFilesApp } from "./files_app.ts";
import { unless } from "../../support/test_if.ts";

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

for (const verb of ["move", "copy"] as const) {
  Deno.test(`${verb} takes files and folders, and makes the folders above`, async () => {
    await using app = await openFilesApp();
    await app.put("a/b/c.txt", "abc");
    await Deno.chmod(app.at("a/b/c.txt"), 0o600);
    await Deno.symlink("c.txt", app.at("a/b/link"));
    await app.call(`filesystem/${verb}`, { source: "a", destination: "x/y/z" });
    expect(await Deno.readTextFile(app.at("x/y/z/b/c.txt"))).toBe("abc");
    expect((await Deno.stat(app.at("x/y/z/b/c.txt"))).mode! & 0o777).toBe(0o600);
    expect(await Deno.readLink(app.at("x/y/z/b/link"))).toBe("c.txt");
    expect(await exists(app.at("a"))).toBe(verb === "copy");
    expect(namesIn(app.at("x/y"))).toEqual(["z"]);
  });

  Deno.test(`${verb} replaces a file only when told to`, async () => {
    await using app = await openFilesApp();
    await app.put("a", "new");
    await app.put("b", "old");
    const body = { source: "a", destination: "b" };
    expect(await app.refused(400, `filesystem/${verb}`, body)).toContain('"overwrite": true');
    expect(await Deno.readTextFile(app.at("b"))).toBe("old");
    await app.call(`filesystem/${verb}`, { ...body, overwrite: true });
    expect(await Deno.readTextFile(app.at("b"))).toBe("new");
  });

  Deno.test(`${verb} never replaces a folder that holds something, nor one kind by another`, async () => {
    await using app = await openFilesApp();
    await app.put("from/x", "");
    await app.put("full/y", "");
    await app.put("file", "");
    await Deno.mkdir(app.at("empty"));
    const refuse = (source: string, destination: string) =>
      app.refused(400, `filesystem/${verb}`, { source, destination, overwrite: true });
    expect(await refuse("from", "full")).toContain("not empty");
    expect(await refuse("from", "file")).toContain("a file is there");
    expect(await refuse("file", "empty")).toContain("a folder is there");
    await app.call(`filesystem/${verb}`, { source: "from", destination: "empty", overwrite: true });
    expect(namesIn(app.at("empty"))).toEqual(["x"]);
  });

  Deno.test(`${verb} refuses a folder into itself, also through a link`, async () => {
    await using app = await openFilesApp();
    await app.put("a/b/c", "");
    await Deno.symlink(app.at("a/b"), app.at("link"));
    for (const destination of ["a/b/new", "a/new/newer", "link/new"]) {
      const body = { source: "a", destination };
      const [error] = await app.refused(422, `filesystem/${verb}`, body);
      expect(error).toMatchObject({ loc: ["body", "destination"], type: "value_error" });
    }
    expect(namesIn(app.at("a"))).toEqual(["b"]);
    await app.call(`filesystem/${verb}`, { source: "a", destination: "ab" });
  });

  Deno.test(`${verb} of what is not there is 404, and makes nothing`, async () => {
    await using app = await openFilesApp();
    const body = { source: "gone", destination: "x/y" };
    expect(await app.refused(404, `filesystem/${verb}`, body)).toContain("gone");
    expect(namesIn(app.home)).toEqual([]);
  });

  Deno.test(`${verb} of a file onto itself keeps it`, async () => {
    await using app = await openFilesApp();
    await app.put("a", "abc");
    await app.call(`filesystem/${verb}`, { source: "a", destination: "./a", overwrite: true });
    expect(await Deno.readTextFile(app.at("a"))).toBe("abc");
  });
}

Deno.test("move takes a link itself, copy what it leads to", async () => {
  await using app = await openFilesApp();
  await app.put("real", "abc");
  await Deno.symlink("real", app.at("link"));
  await app.call("filesystem/copy", { source: "link", destination: "copy" });
  expect((await Deno.lstat(app.at("copy"))).isFile).toBe(true);
  await app.call("filesystem/move", { source: "link", destination: "moved" });
  expect(await Deno.readLink(app.at("moved"))).toBe("real");
  expect(namesIn(app.home)).toEqual(["copy", "moved", "real"]);
});

Deno.test({
  name: "move to another file system copies whole, then deletes",
  ignore: unless(await exists("/dev/shm"), "there is no /dev/shm"),
  async fn() {
    await using app = await openFilesApp();
    const other = await Deno.makeTempDir({ dir: "/dev/shm" });
    try {
      await app.put("a/b/c.txt", "abc");
      await Deno.symlink("c.txt", app.at("a/b/link"));
      await app.call("filesystem/move", { source: "a", destination: `${other}/a` });
      expect(await Deno.readTextFile(`${other}/a/b/link`)).toBe("abc");
      expect(namesIn(app.home)).toEqual([]);
      expect(namesIn(other)).toEqual(["a"]);
    } finally {
      await Deno.remove(other, { recursive: true });
    }
  },
});

Deno.test("delete takes files, links and empty folders; what is full only when told to", async () => {
  await using app = await openFilesApp();
  await app.put("full/deep/x", "");
  await app.put("target/kept", "");
  await Deno.mkdir(app.at("empty"));
  await Deno.symlink("target", app.at("link"));
  await app.call("filesystem/delete", { path: "empty" });
  await app.call("filesystem/delete", { path: "link", recursive: true });
  expect(await app.refused(400, "filesystem/delete", { path: "full" })).toContain("not empty");
  expect(namesIn(app.home)).toEqual(["full", "target"]);
  await app.call("filesystem/delete", { path: "full", recursive: true });
  await app.call("filesystem/delete", { path: "target/kept" });
  expect(namesIn(app.home)).toEqual(["target"]);
  expect(await app.refused(404, "filesystem/delete", { path: "full" })).toContain("no such");
});

Deno.test("delete and move never take the root, the home, nor a folder above it", async () => {
  await using app = await openFilesApp();
  await app.put("kept", "");
  await Deno.symlink(app.home, app.stateDir);
  for (const path of ["/", "~", ".", app.home, `${app.home}/..`, "//", `${app.home}/x/..`]) {
    const body = { path, recursive: true };
    expect(await app.refused(403, "filesystem/delete", body)).toContain("home");
  }
  await app.refused(403, "filesystem/move", { source: "~", destination: "/tmp/elsewhere" });
  expect(namesIn(app.home)).toEqual(["kept"]);
  await app.call("filesystem/delete", { path: app.stateDir, recursive: true }); // a link to it
  expect(namesIn(app.home)).toEqual(["kept"]);
});

Deno.test("moves in opposite directions at once never wait for each other", async () => {
  await using app = await openFilesApp();
  await app.put("a", "one of both");
  const moves = Array.from({ length: 40 }, (_, number) => {
    const [source, destination] = number % 2 === 0 ? ["a", "b"] : ["b", "a"];
    return app.app.post("/api/filesystem/move", { source, destination, overwrite: true });
  });
  const statuses = (await Promise.all(moves)).map(({ status }) => status);
  expect(statuses.every((status) => status === 204 || status === 404)).toBe(true);
  expect(namesIn(app.home)).toHaveLength(1);
});

for (const verb of ["move", "copy"] as const) {
  Deno.test(`of many that ${verb} to one place at once, one succeeds`, async () => {
    await using app = await openFilesApp();
    const sources = Array.from({ length: 20 }, (_, number) => `s${number}`);
    for (const source of sources) await app.put(source, source);
    const answers = await Promise.all(
      sources.map((source) =>
        app.app.post(`/api/filesystem/${verb}`, { source, destination: "x" })
      ),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
    expect(namesIn(app.home)).toHaveLength(verb === "move" ? 20 : 21);
  });
}
