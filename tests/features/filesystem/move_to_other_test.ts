/** move to another file system: what arrives is what was there, and only that goes. */

import { expect } from "expect";
import { MAY_SWITCH } from "./as_user.ts";
import { type FilesApp, namesIn, openFilesApp } from "./files_app.ts";
import { testFolder } from "../../support/folder.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

const OTHER = "/dev/shm";
const ignore = unless(
  await Deno.stat(OTHER).then(() => true, () => false),
  `there is no ${OTHER}`,
);

/** A home, and a folder on another file system. */
async function withOther(work: (app: FilesApp, other: string) => Promise<void>): Promise<void> {
  await using app = await openFilesApp();
  const other = await Deno.makeTempDir({ dir: OTHER });
  try {
    await work(app, other);
  } finally {
    await Deno.remove(other, { recursive: true });
  }
}

async function shell(command: string): Promise<boolean> {
  const { success } = await new Deno.Command("sh", { args: ["-c", command] }).output();
  return success;
}

async function attribute(verb: "set" | "get", path: string): Promise<boolean> {
  const value = verb === "set" ? ", b'yes'" : "";
  const program = `import os, sys; os.${verb}xattr(sys.argv[1], 'user.kept'${value})`;
  const { success } = await new Deno.Command("/usr/bin/python3", { args: ["-c", program, path] })
    .output();
  return success;
}

async function bothKeepAttributes(): Promise<boolean> {
  await using folder = await testFolder();
  await using other = await testFolder(OTHER);
  for (const { path } of [folder, other]) {
    await Deno.writeTextFile(`${path}/x`, "");
    if (!await attribute("set", `${path}/x`)) return false;
  }
  return true;
}

/** Whether the folder for temporary files takes names that are not UTF-8. */
async function takesEveryByte(): Promise<boolean> {
  await using folder = await testFolder();
  return await shell(`echo 1 > '${folder.path}'/"$(printf 'x\\377')"`);
}

/** Starts to move a folder with many files; gives the name of one that has been copied. */
async function startMove(app: FilesApp, other: string) {
  await Deno.mkdir(app.at("a"));
  for (let number = 0; number < 2_000; number++) await app.put(`a/f${number}`, "old");
  const moving = app.app.post("/api/filesystem/move", { source: "a", destination: `${other}/a` });
  const copied = await waitFor(() => namesIn(`${other}/${namesIn(other)[0]}`)[0], { everyMs: 0 });
  return { moving, copied };
}

Deno.test({
  name: "move to another file system keeps mode, owner and times",
  ignore,
  fn: () =>
    withOther(async (app, other) => {
      const file = await app.put("a/f", "abc");
      await Deno.symlink("f", app.at("a/link"));
      if (MAY_SWITCH) await shell(`chown -Rh 65534:65534 '${app.at("a")}'`);
      await shell(`touch -h -d @1000 '${app.at("a/link")}'`);
      await Deno.chmod(file, 0o4750);
      await Deno.utime(file, 1_000, 2_000);
      // what a user may not remove from its folder is refused
      const folderMode = MAY_SWITCH ? 0o550 : 0o750;
      await Deno.chmod(app.at("a"), folderMode);
      await Deno.utime(app.at("a"), 3_000, 4_000);
      await app.call("filesystem/move", { source: "a", destination: `${other}/a` });
      const owner = MAY_SWITCH ? 65_534 : Deno.uid();
      for (
        const [name, mode, time] of [["a/f", 0o4750, 2_000], ["a", folderMode, 4_000]] as const
      ) {
        const info = await Deno.lstat(`${other}/${name}`);
        expect([name, info.mode! & 0o7777, info.uid]).toEqual([name, mode, owner]);
        expect(info.mtime?.getTime()).toBe(time * 1_000);
      }
      const link = await Deno.lstat(`${other}/a/link`);
      expect([link.uid, link.mtime?.getTime()]).toEqual([owner, 1_000_000]);
      expect(namesIn(app.home)).toEqual([]);
    }),
});

Deno.test({
  name: "move to another file system keeps attributes",
  ignore: ignore || unless(await bothKeepAttributes(), "needs attributes in both file systems"),
  fn: () =>
    withOther(async (app, other) => {
      const file = await app.put("a/f", "abc");
      expect(await attribute("set", file)).toBe(true);
      await app.call("filesystem/move", { source: "a", destination: `${other}/a` });
      expect(await attribute("get", `${other}/a/f`)).toBe(true);
    }),
});

Deno.test({
  name: "move to another file system loses no edit that is made meanwhile",
  ignore,
  fn: () =>
    withOther(async (app, other) => {
      const { moving, copied } = await startMove(app, other);
      const body = { path: `a/${copied}`, old_str: "old", new_str: "new" };
      const edited = await app.app.post("/api/editor/str-replace", body);
      expect((await moving).status).toBe(204);
      const now = await Deno.readTextFile(`${other}/a/${copied}`);
      expect([edited.status, now]).toEqual(edited.status === 204 ? [204, "new"] : [404, "old"]);
    }),
});

Deno.test({
  name: "move to another file system is undone when another program changes a file",
  ignore,
  fn: () =>
    withOther(async (app, other) => {
      const { moving, copied } = await startMove(app, other);
      await app.put(`a/${copied}`, "of somebody else");
      const { status, text } = await moving;
      expect([status, text]).toEqual([409, expect.stringContaining("nothing was moved")]);
      expect(await Deno.readTextFile(app.at("a", copied))).toBe("of somebody else");
      expect(namesIn(app.at("a"))).toHaveLength(2_000);
      expect(namesIn(other)).toEqual([]);
    }),
});

for (const verb of ["move", "copy"] as const) {
  Deno.test({
    name: `${verb} to another file system refuses names that are not UTF-8`,
    ignore: ignore || unless(await takesEveryByte(), "needs a file system for all names"),
    fn: () =>
      withOther(async (app, other) => {
        const made = await shell(
          `set -e; mkdir '${app.at("one")}' '${app.at("two")}'; cd '${app.at("one")}'; ` +
            `echo 1 > "$(printf 'x\\377')"; cd ../two; echo 1 > "$(printf 'x\\377')"; ` +
            `echo 2 > "$(printf 'x\\357\\277\\275')"; cd ..; mkdir three; cd three; ln -s "$(printf 'x\\377')" l`,
        );
        expect(made).toBe(true);
        for (const source of ["one", "two", "three"]) {
          const before = namesIn(app.at(source));
          const body = { source, destination: `${other}/${source}` };
          const [error] = await app.refused(422, `filesystem/${verb}`, body);
          expect(error.msg).toContain("not UTF-8");
          expect(namesIn(app.at(source))).toEqual(before);
        }
        expect(namesIn(other)).toEqual([]);
      }),
  });
}
