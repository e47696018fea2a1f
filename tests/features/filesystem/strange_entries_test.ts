/** What lies in a tree besides files and folders: links, FIFOs, sockets, names that are no text, folders without permission. */

import { expect } from "expect";
import { asNobody, MAY_SWITCH } from "./as_user.ts";
import { openFilesApp } from "./files_app.ts";
import { unless } from "../../support/test_if.ts";

function types(entries: readonly { name: string; type: string }[]): Record<string, string> {
  return Object.fromEntries(entries.map(({ name, type }) => [name, type]));
}

async function run(program: string, ...args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args: [...args] }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

Deno.test("links count as what they lead to, and are never followed into", async () => {
  await using app = await openFilesApp();
  await app.put("real/inner.txt", "abc");
  await Deno.symlink("real", app.at("folder-link"));
  await Deno.symlink("real/inner.txt", app.at("file-link"));
  await Deno.symlink("nowhere", app.at("dangling"));
  await Deno.symlink("circle", app.at("circle"));
  await Deno.symlink("..", app.at("real/up"));
  const listed = await app.call("filesystem/list", { path: "~" });
  expect(types(listed)).toEqual({
    "folder-link": "directory",
    real: "directory",
    circle: "file",
    dangling: "file",
    "file-link": "file",
  });
  expect(listed.find(({ name }: { name: string }) => name === "file-link").size).toBe(3);
  const found = await app.call("filesystem/search", { root_path: "~", pattern: "*.txt" });
  expect(found.map(({ path }: { path: string }) => path)).toEqual([app.at("real/inner.txt")]);
  const { children } = await app.call("filesystem/tree", { path: "~", max_depth: 4_096 });
  expect(children).toEqual([
    { name: "folder-link", type: "directory", children: [] },
    {
      name: "real",
      type: "directory",
      children: [
        { name: "up", type: "directory", children: [] },
        { name: "inner.txt", type: "file" },
      ],
    },
    ...["circle", "dangling", "file-link"].map((name) => ({ name, type: "file" })),
  ]);
  const through = await app.call("filesystem/list", { path: "folder-link" });
  expect(through).toHaveLength(2);
});

Deno.test("FIFOs, sockets and devices are files that are listed and never opened", async () => {
  await using app = await openFilesApp();
  await run("mkfifo", app.at("fifo"));
  using _socket = Deno.listen({ transport: "unix", path: app.at("socket") });
  const listed = await app.call("filesystem/list", { path: "~" });
  expect(types(listed)).toEqual({ fifo: "file", socket: "file" });
  expect((await app.info("fifo")).json).toMatchObject({ type: "file", size: 0 });
  for (const name of ["fifo", "socket", "/dev/null"]) {
    for (
      const [operation, body] of [
        ["editor/view", {}],
        ["editor/str-replace", { old_str: "a", new_str: "b" }],
        ["editor/insert", { text: "a" }],
        ["filesystem/read", {}],
        ["filesystem/write", { content: "a", overwrite: true }],
      ] as const
    ) {
      const detail = await app.refused(400, operation, { path: name, ...body });
      expect(detail).toContain("FIFO, a socket or a device");
    }
    expect(await app.refused(400, "filesystem/list", { path: name })).toContain("not a folder");
  }
  const copied = { source: "~", destination: `${app.stateDir}/copy` };
  expect(await app.refused(400, "filesystem/copy", copied)).toContain("FIFO");
});

Deno.test("names that are not UTF-8 appear with U+FFFD, size 0 and the folder's time", async () => {
  await using app = await openFilesApp();
  await run(
    "/usr/bin/python3",
    "-c",
    "import os, sys\nos.chdir(sys.argv[1])\nopen(b'a\\xffb', 'w').write('abc')\nos.mkdir(b'd\\xfe')",
    app.home,
  );
  await Deno.utime(app.home, 1_000_000, 1_000_000);
  const [folder, file] = await app.call("filesystem/list", { path: "~" });
  expect(folder).toMatchObject({ name: "d\ufffd", type: "directory", size: 0 });
  expect(file).toMatchObject({ name: "a\ufffdb", type: "file", size: 0 });
  expect(file.modified_time.slice(0, 4)).toBe("1970");
  const { children } = await app.call("filesystem/tree", { path: "~" });
  expect(children).toEqual([
    { name: "d\ufffd", type: "directory", children: [], truncated: true },
    { name: "a\ufffdb", type: "file" },
  ]);
});

Deno.test({
  name: "folders without permission are skipped, truncated in a tree, and 403 as a root",
  ignore: unless(MAY_SWITCH, "only root can act as another user"),
  async fn() {
    await using app = await openFilesApp();
    await app.put("closed/secret.txt", "");
    await app.put("open/seen.txt", "");
    await Deno.chmod(app.at("closed"), 0o700);
    await Deno.chmod(app.home + "/..", 0o755);
    await Deno.chmod(app.home, 0o755);
    await Deno.chmod(app.at("open"), 0o755);
    await app.call("filesystem/list", { path: "~" }); // the worker is there from now on
    await asNobody(async () => {
      const found = await app.call("filesystem/search", { root_path: "~", pattern: "*.txt" });
      expect(found.map(({ name }: { name: string }) => name)).toEqual(["seen.txt"]);
      const { children } = await app.call("filesystem/tree", { path: "~", pattern: "*.txt" });
      expect(children[0]).toEqual({
        name: "closed",
        type: "directory",
        children: [],
        truncated: true,
      });
      for (const operation of ["filesystem/list", "filesystem/tree"]) {
        expect(await app.refused(403, operation, { path: "closed" })).toContain("permission");
      }
      const search = { root_path: "closed", pattern: "*" };
      expect(await app.refused(403, "filesystem/search", search)).toContain("permission");
      expect((await app.info("closed/secret.txt")).status).toBe(403);
      await app.refused(403, "filesystem/mkdir", { path: "open/new" });
      await app.refused(403, "filesystem/delete", { path: "open/seen.txt" });
      await app.refused(403, "editor/view", { path: "closed/secret.txt" });
      await app.refused(403, "editor/insert", { path: "open/seen.txt", text: "x" });
    });
    expect(await Deno.readTextFile(app.at("open/seen.txt"))).toBe("");
  },
});

Deno.test("a folder that is deleted during the walk is skipped", async () => {
  await using app = await openFilesApp();
  for (let folder = 0; folder < 400; folder++) await app.put(`f${folder}/x/y.txt`, "");
  await app.put("z/last.txt", "");
  const walks = [1, 2, 3, 4].map(() =>
    app.call("filesystem/search", { root_path: "~", pattern: "*.txt", max_results: 10_000 })
  );
  for (let folder = 0; folder < 400; folder++) {
    await Deno.remove(app.at(`f${folder}`), { recursive: true });
  }
  for (const found of await Promise.all(walks)) expect(found.at(-1).name).toBe("last.txt");
});

Deno.test("a tree deeper than a path can be is truncated there", async () => {
  await using app = await openFilesApp();
  const script = "import os, sys\nos.chdir(sys.argv[1])\n" +
    "for i in range(60):\n  os.mkdir('d' * 200)\n  os.chdir('d' * 200)";
  await run("/usr/bin/python3", "-c", script, app.home);
  const whole = await app.call("filesystem/tree", { path: "~", max_depth: 4_096 });
  let depth = 0;
  let node = whole;
  for (; node.children.length > 0; node = node.children[0]) depth++;
  expect(depth).toBeLessThan(25);
  expect(node.truncated).toBe(true);
  await run("rm", "-rf", app.at("d".repeat(200)));
});
