/** Files on systems and file systems that lack a call, or mark files otherwise, than those of this computer. */

import { expect } from "expect";
import type { Rename } from "../../../src/platform/types/mod.ts";
import { cannotMount, mountSmall } from "./mounts.ts";
import { namesIn, openFilesApp } from "./files_app.ts";

const mountless = await cannotMount();

/** As a system without the call does it: another program takes the name just before. */
function failingAfter(work: (to: string) => void): { ready: true; use: Rename } {
  return {
    ready: true,
    use: (_from, to) => {
      work(to);
      return Promise.resolve(false);
    },
  };
}

Deno.test("info tells of a file that its system hides by a mark", async () => {
  await using app = await openFilesApp();
  const path = await app.put("plain", "");
  expect((await app.info("plain")).json).toMatchObject({ is_hidden: false });
  app.app.platform.files.hidden.add(path);
  expect((await app.info("plain")).json).toMatchObject({ is_hidden: true });
});

Deno.test("move and copy serve files and folders where names cannot be taken exclusively", async () => {
  await using app = await openFilesApp();
  app.app.platform.files.lose("exclusiveRename");
  await app.put("file", "content");
  await app.put("folder/inner", "content");
  await app.call("filesystem/move", { source: "file", destination: "moved" });
  await app.call("filesystem/move", { source: "folder", destination: "moved folder" });
  await app.call("filesystem/copy", { source: "moved folder", destination: "copied folder" });
  expect(namesIn(app.home)).toEqual(["copied folder", "moved", "moved folder"]);
  expect(await Deno.readTextFile(app.at("copied folder/inner"))).toBe("content");
});

Deno.test("a file keeps its name, and is not replaced, when it appears just before a move without exclusive rename", async () => {
  await using app = await openFilesApp();
  await app.put("file", "ours");
  const { files } = app.app.platform;
  files.exclusiveRename = failingAfter((to) => Deno.writeTextFileSync(to, "theirs"));
  await app.refused(400, "filesystem/move", { source: "file", destination: "taken" });
  expect(await Deno.readTextFile(app.at("file"))).toBe("ours");
  expect(await Deno.readTextFile(app.at("taken"))).toBe("theirs");
});

Deno.test("a folder that appears just before a move without exclusive rename keeps what is in it", async () => {
  await using app = await openFilesApp();
  await app.put("folder/ours", "");
  const { files } = app.app.platform;
  files.exclusiveRename = failingAfter((to) => {
    Deno.mkdirSync(to);
    Deno.writeTextFileSync(`${to}/theirs`, "");
  });
  await app.refused(400, "filesystem/move", { source: "folder", destination: "taken" });
  expect(namesIn(app.at("folder"))).toEqual(["ours"]);
  expect(namesIn(app.at("taken"))).toEqual(["theirs"]);
});

Deno.test("edits serve where two files cannot be exchanged", async () => {
  await using app = await openFilesApp();
  app.app.platform.files.lose("exchange", "heldForWriting", "extendedAttributes");
  const path = await app.put("text", "one two\n");
  await Deno.chmod(path, 0o640);
  await app.call("editor/str-replace", { path, old_str: "two", new_str: "three" });
  expect(await Deno.readTextFile(path)).toBe("one three\n");
  expect((await Deno.stat(path)).mode! & 0o7777).toBe(0o640);
  expect(namesIn(app.home)).toEqual(["text"]);
  expect(app.journal().filter((name) => name.endsWith(".bytes"))).toEqual([]);
});

Deno.test("no edit waits for a file that the service itself holds for writing", async () => {
  await using app = await openFilesApp();
  const { files } = app.app.platform;
  const real = files.heldForWriting;
  const answers: boolean[] = [];
  files.heldForWriting = {
    ready: true,
    use: (fd) => {
      answers.push(real.ready && real.use(fd));
      return answers.at(-1)!;
    },
  };
  const path = await app.put("text", "one\n");
  await app.call("filesystem/write", { path, content: "two\n", overwrite: true });
  await app.call("editor/str-replace", { path, old_str: "two", new_str: "three" });
  await app.call("editor/insert", { path, text: "four" });
  await app.call("editor/undo-edit", { path });
  expect(answers).toEqual([false, false, false, false]);
});

Deno.test("delete refuses a folder in which the system tells of a mount", async () => {
  await using app = await openFilesApp();
  await app.put("folder/mounted/theirs", "");
  app.app.platform.files.mounted.add(app.at("folder/mounted"));
  const body = { path: "folder", recursive: true };
  expect(await app.refused(409, "filesystem/delete", body)).toContain("is mounted at");
  expect(namesIn(app.at("folder/mounted"))).toEqual(["theirs"]);
});

Deno.test("move to another file system refuses what holds a file that is marked as immutable", {
  ignore: mountless,
}, async () => {
  await using app = await openFilesApp();
  await using other = await mountSmall("1m");
  const path = await app.put("folder/fixed", "content");
  await app.put("folder/other", "content");
  app.app.platform.files.immutable.add(path);
  const body = { source: "folder", destination: `${other.folder}/folder` };
  expect(await app.refused(403, "filesystem/move", body)).toContain("immutable");
  expect(namesIn(app.at("folder"))).toEqual(["fixed", "other"]);
  expect(namesIn(other.folder)).toEqual([]);
});
