/** Files that a rename cannot replace are written in place: every name still leads to the new bytes. */

import { expect } from "expect";
import { asNobody, MAY_SWITCH } from "../filesystem/as_user.ts";
import { type FilesApp, openFilesApp } from "../filesystem/files_app.ts";
import { bindOver, cannotMount, mountSmall } from "../filesystem/mounts.ts";
import { run } from "../../support/desktop.ts";
import { lineReader } from "../../support/lines.ts";
import { testFolder } from "../../support/folder.ts";
import { succeeds, unless } from "../../support/test_if.ts";
import { Files } from "../../../src/features/filesystem/files.ts";

const EDIT = { old_str: "foo", new_str: "bär" };
const PYTHON = "/usr/bin/python3";
const SET_ATTRIBUTE = "import os,sys; os.setxattr(sys.argv[1], 'user.note', b'caf\\xc3\\xa9')";
/** The signal that another program wants the file would end it. */
const TAKE_LEASE = "import fcntl,signal,sys; signal.signal(signal.SIGIO, signal.SIG_IGN); " +
  "file = open(sys.argv[1], 'r+'); fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK); " +
  "print('leased', flush=True); sys.stdin.read()";
const NO_ATTRIBUTES = "needs Python, and extended attributes in the folder for temporary files";
const NO_ACCESS_LISTS = "needs setfacl, and access lists in the folder for temporary files";

/** Whether a program can do that with a file where the tests have theirs. */
async function onTemporaryFile(program: string, args: readonly string[]): Promise<boolean> {
  await using folder = await testFolder();
  const path = `${folder.path}/x`;
  await Deno.writeTextFile(path, "");
  return await succeeds(program, [...args, path]);
}

Deno.test("a file with several hard links keeps them", async () => {
  await using app = await openFilesApp();
  const path = await app.put("x", "foo\r\n");
  await Deno.link(path, app.at("other"));
  await app.call("editor/str-replace", { path: "x", ...EDIT });
  expect(await Deno.readTextFile(app.at("other"))).toBe("bär\r\n");
  expect((await Deno.stat(path)).nlink).toBe(2);
  expect(app.journal().filter((name) => name.endsWith(".bytes"))).toEqual([]);
  await app.call("editor/undo-edit", { path: "x" });
  expect(await Deno.readTextFile(app.at("other"))).toBe("foo\r\n");
  await app.call("editor/insert", { path: "other", text: "more" });
  expect(await Deno.readTextFile(path)).toContain("more");
});

Deno.test({
  name: "a file that is mounted by itself is edited through the mount",
  ignore: await cannotMount(),
  async fn() {
    await using app = await openFilesApp();
    const [outside, inside] = [await app.put("out/x", "foo"), await app.put("in/x", "")];
    await using _mounted = await bindOver(outside, inside);
    await app.call("editor/str-replace", { path: "in/x", ...EDIT });
    expect(await Deno.readTextFile(outside)).toBe("bär");
    expect(await Deno.readTextFile(inside)).toBe("bär");
  },
});

Deno.test({
  name: "a file in a folder without write permission is edited in place",
  ignore: unless(MAY_SWITCH, "only root can act as another user"),
  async fn() {
    await using app = await openFilesApp();
    const path = await app.put("closed/x", "foo");
    await Deno.chmod(path, 0o666);
    await openForAll(app);
    const { ino } = await Deno.stat(path);
    await asNobody(() => app.call("editor/str-replace", { path: "closed/x", ...EDIT }));
    expect(await Deno.readTextFile(path)).toBe("bär");
    expect((await Deno.stat(path)).ino).toBe(ino);
  },
});

Deno.test({
  name: "a file of another user keeps its owner, in a folder that everybody may write to",
  ignore: unless(MAY_SWITCH, "only root can act as another user"),
  async fn() {
    await using app = await openFilesApp();
    const path = await app.put("shared/x", "foo");
    await Deno.chmod(path, 0o666);
    await openForAll(app);
    await Deno.chmod(app.at("shared"), 0o777);
    await asNobody(() => app.call("editor/str-replace", { path: "shared/x", ...EDIT }));
    expect(await Deno.readTextFile(path)).toBe("bär");
    expect((await Deno.stat(path)).uid).toBe(0);
    await Deno.chmod(path, 0o444);
    await asNobody(() => app.refused(403, "editor/insert", { path: "shared/x", text: "no" }));
  },
});

/** So that a user without rights gets to the home and to the state folder. */
async function openForAll(app: FilesApp): Promise<void> {
  await app.app.session.use(Files).writing(); // the journal is opened while the folder is private
  await Deno.chmod(`${app.home}/..`, 0o777);
  await Deno.chmod(app.home, 0o755);
  await Deno.chmod(app.stateDir, 0o777);
  await Deno.chmod(`${app.stateDir}/journal`, 0o777);
}

Deno.test({
  name: "a full disk leaves the old file, says so, and leaves nothing else",
  ignore: await cannotMount(),
  async fn() {
    await using disk = await mountSmall("1m");
    await using app = await openFilesApp();
    const text = "foo".padEnd(600_000, "x");
    for (const links of [1, 2]) {
      const path = `${disk.folder}/x`;
      await Deno.writeTextFile(path, text);
      if (links === 2) await Deno.link(path, `${disk.folder}/other`);
      const names = [...Deno.readDirSync(disk.folder)].length;
      const grow = { path, old_str: "foo", new_str: "b".repeat(600_000) };
      expect(await app.refused(503, "editor/str-replace", grow)).toContain("no space is left");
      const create = { path: `${disk.folder}/a/b/new`, file_text: "y".repeat(600_000) };
      expect(await app.refused(503, "editor/create", create)).toContain("no space is left");
      const copy = { source: path, destination: `${disk.folder}/c/copy` };
      expect(await app.refused(503, "filesystem/copy", copy)).toContain("no space is left");
      expect(await Deno.readTextFile(path) === text).toBe(true);
      expect([...Deno.readDirSync(disk.folder)]).toHaveLength(names);
    }
    expect(app.journal().filter((name) => name.endsWith(".bytes"))).toEqual([]);
  },
});

Deno.test({
  name: "a state folder without room refuses the edit before anything is written",
  ignore: await cannotMount(),
  async fn() {
    await using disk = await mountSmall("64k");
    await using app = await openFilesApp({ stateDir: `${disk.folder}/state` });
    const path = await app.put("x", "foo".padEnd(200_000, "x"));
    await Deno.link(path, app.at("other"));
    const detail = await app.refused(503, "editor/str-replace", { path: "x", ...EDIT });
    expect(detail).toContain("--state-dir");
    expect((await Deno.readTextFile(path)).startsWith("foo")).toBe(true);
  },
});

Deno.test({
  name: "extended attributes and access lists move to the new file",
  ignore: unless(await onTemporaryFile(PYTHON, ["-c", SET_ATTRIBUTE]), NO_ATTRIBUTES),
  async fn() {
    await using app = await openFilesApp();
    const path = await app.put("x", "foo");
    await run(PYTHON, ["-c", SET_ATTRIBUTE, path]);
    const { ino } = await Deno.stat(path);
    await app.call("editor/str-replace", { path: "x", ...EDIT });
    expect((await Deno.stat(path)).ino).not.toBe(ino);
    const { stdout } = await new Deno.Command("/usr/bin/python3", {
      args: ["-c", "import os,sys; print(os.getxattr(sys.argv[1], 'user.note'))", path],
    }).output();
    expect(new TextDecoder().decode(stdout)).toContain("caf\\xc3\\xa9");
  },
});

Deno.test({
  name: "an edit does not take over the default access list of the folder",
  ignore: unless(await onTemporaryFile("setfacl", ["-m", "u:65534:rw"]), NO_ACCESS_LISTS),
  async fn() {
    await using app = await openFilesApp();
    const path = await app.put("shared/x", "foo");
    await Deno.chmod(path, 0o640);
    await run("setfacl", ["-d", "-m", "u:65534:rw,g::rw,o::rw", app.at("shared")]);
    const { ino } = await Deno.stat(path);
    await app.call("editor/str-replace", { path: "shared/x", ...EDIT });
    expect((await Deno.stat(path)).ino).not.toBe(ino);
    expect((await Deno.stat(path)).mode! & 0o777).toBe(0o640);
    const { stdout } = await new Deno.Command("getfacl", { args: ["-cnp", path] }).output();
    const list = new TextDecoder().decode(stdout).trim().split("\n");
    expect(list).toEqual(["user::rw-", "group::r--", "other::---"]);
  },
});

Deno.test("write over a file with several hard links is bounded by the limit for edits", async () => {
  await using app = await openFilesApp({ limits: { maxEditBytes: 3_000_000 } });
  const path = await app.put("x", "a".repeat(3_000_001));
  const write = { path: "x", content: "new", overwrite: true };
  await app.call("filesystem/write", write); // by a rename: nothing is copied
  await Deno.writeTextFile(path, "b".repeat(3_000_001));
  await Deno.link(path, app.at("other"));
  expect(await app.refused(413, "filesystem/write", write)).toContain("3000000");
  expect((await Deno.stat(path)).size).toBe(3_000_001);
  await Deno.truncate(path, 3_000_000);
  await app.call("filesystem/write", write);
  expect(await Deno.readTextFile(app.at("other"))).toBe("new");
  expect(app.journal().filter((name) => name.endsWith(".bytes"))).toEqual([]);
});

Deno.test({
  name: "edits and views wait for a program that keeps the file to itself for a moment",
  ignore: unless(Deno.build.os === "linux", "only Linux has leases"),
  async fn() {
    await using app = await openFilesApp();
    const path = await app.put("x", "foo");
    for (const [call, body] of [["str-replace", EDIT], ["view", {}]] as const) {
      const holder = new Deno.Command(PYTHON, {
        args: ["-c", TAKE_LEASE, path],
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const lines = lineReader(holder.stdout);
      await lines.until(/^leased$/);
      let over = false;
      const calling = app.call(`editor/${call}`, { path, ...body }).finally(() => over = true);
      for (let turns = 0; turns < 20; turns++) await new Promise((go) => setTimeout(go, 5));
      expect(over).toBe(false);
      await holder.stdin.close(); // its end gives the lease back
      await calling;
      expect((await holder.status).success).toBe(true);
      await lines.rest();
    }
    expect(await Deno.readTextFile(path)).toBe("bär");
  },
});
