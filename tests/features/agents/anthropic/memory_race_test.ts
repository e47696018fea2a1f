/** The memory tool while another program puts links into its folder. */

import { ANYONE } from "../../../../src/features/actor.ts";
import { expect } from "expect";
import { runMemory } from "../../../../src/features/agents/anthropic/memory_tool.ts";
import { Callables } from "../../../../src/features/call/callables.ts";
import type { Context } from "../../../../src/features/context.ts";
import { allOperations } from "../../../../src/features/mod.ts";
import { startWithoutDisplay } from "../../../support/anthropic.ts";
import { testApp } from "../../../support/client.ts";
import { testFolder } from "../../../support/folder.ts";
import { createStrictLog } from "../../../support/strict_log.ts";

const ignore = Deno.build.os !== "linux"; // other systems have no paths of open folders

/** A folder with notes, a secret beside it, and a tool whose first operation finds it changed. */
async function start(change: (folder: string) => Promise<void>) {
  const service = await startWithoutDisplay();
  const folder = await testFolder();
  const memory_dir = `${folder.path}/memories`;
  await Deno.mkdir(`${memory_dir}/notes`, { recursive: true });
  await Deno.mkdir(`${folder.path}/outside`);
  await Deno.writeTextFile(`${memory_dir}/notes/a.txt`, "kept\n");
  await Deno.writeTextFile(`${folder.path}/outside/a.txt`, "kept secret\n");
  const log = createStrictLog(console.error);
  const { platform, session, config } = service;
  const services = { platform, session, config, log };
  const calls = new Callables(services, await allOperations(config.limits));
  let isChanged = false;
  const changing = (name: string, input: unknown) => {
    const prepared = calls.prepare(name, input);
    const ready = isChanged ? Promise.resolve() : change(folder.path);
    isChanged = true;
    return {
      ...prepared,
      run: async (...args: Parameters<typeof prepared.run>) => {
        await ready;
        return await prepared.run(...args);
      },
    };
  };
  const { signal } = new AbortController();
  const given = { ...services, actor: ANYONE, signal, calls: { prepare: changing } };
  const context = given as unknown as Context;
  return {
    folder: folder.path,
    run: (input: object) => runMemory(context, input, { memory_dir }),
    read: (name: string) => Deno.readTextFile(`${folder.path}/${name}`),
    async [Symbol.asyncDispose]() {
      await folder[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** The folder is moved away, and a link to the secret is in its place; done when this returns. */
function linkFolder(folder: string): Promise<void> {
  Deno.renameSync(`${folder}/memories/notes`, `${folder}/memories/moved`);
  Deno.symlinkSync(`${folder}/outside`, `${folder}/memories/notes`);
  return Promise.resolve();
}

function linkFile(folder: string): Promise<void> {
  Deno.renameSync(`${folder}/memories/notes/a.txt`, `${folder}/memories/notes/moved.txt`);
  Deno.symlinkSync(`${folder}/outside/a.txt`, `${folder}/memories/notes/a.txt`);
  return Promise.resolve();
}

/** Not of a shell. */
const COMMAND = "command";
const path = "/memories/notes/a.txt";
const VIEW = Object.fromEntries([["command", "view"]]);
const EDIT = Object.fromEntries([["command", "str_replace"]]);

for (const [what, change] of Object.entries({ folder: linkFolder, file: linkFile })) {
  Deno.test({
    name: `memory shows the file that it has found, though its ${what} becomes a link meanwhile`,
    ignore,
    async fn() {
      await using memory = await start(change);
      const header = `Here's the content of ${path} with line numbers:`;
      expect(await memory.run({ ...VIEW, path })).toBe(`${header}\n     1\tkept`);
    },
  });
}

Deno.test({
  name: "memory lists the folder that it has found, though it becomes a link meanwhile",
  ignore,
  async fn() {
    await using memory = await start(linkFolder);
    expect(await memory.run({ ...VIEW, path: "/memories/notes" }))
      .toMatch(/\n5B\t\/memories\/notes\/a\.txt$/);
  },
});

Deno.test({
  name: "memory edits the file in the folder that it has found",
  ignore,
  async fn() {
    await using memory = await start(linkFolder);
    const done = await memory.run({ ...EDIT, path, old_str: "kept", new_str: "new" });
    expect(done).toContain("     1\tnew");
    expect(await memory.read("memories/moved/a.txt")).toBe("new\n");
    expect(await memory.read("outside/a.txt")).toBe("kept secret\n");
  },
});

Deno.test({
  name: "memory edits no file that has become a link before it was edited",
  ignore,
  async fn() {
    await using memory = await start(linkFile);
    const edited = memory.run({ ...EDIT, path, old_str: "kept", new_str: "new" });
    await expect(edited).rejects.toThrow(`The path ${path} has become a link in the meantime`);
    expect(await memory.read("outside/a.txt")).toBe("kept secret\n");
  },
});

const WRITES: readonly [object, string][] = [
  [{ [COMMAND]: "create", path: "/memories/notes/new.txt", file_text: "x" }, "moved/new.txt"],
  [{ [COMMAND]: "create", path: "/memories/notes/deep/er/new.txt", file_text: "x" }, "moved/deep"],
  [{ [COMMAND]: "insert", path, insert_line: 0, insert_text: "x" }, "moved/a.txt"],
  [{ [COMMAND]: "delete", path }, ""],
  [{ [COMMAND]: "rename", old_path: path, new_path: "/memories/b.txt" }, "b.txt"],
  [
    { [COMMAND]: "rename", old_path: "/memories/c.txt", new_path: "/memories/notes/c.txt" },
    "moved/c.txt",
  ],
];

for (const [input, made] of WRITES) {
  Deno.test({
    name: `memory changes nothing outside its folder: ${JSON.stringify(input)}`,
    ignore,
    async fn() {
      await using memory = await start(linkFolder);
      await Deno.writeTextFile(`${memory.folder}/memories/c.txt`, "moved\n");
      const names = () => Array.fromAsync(Deno.readDir(`${memory.folder}/outside`));
      const before = await names();
      await memory.run(input);
      expect(await names()).toEqual(before);
      expect(await memory.read("outside/a.txt")).toBe("kept secret\n");
      await Deno.lstat(`${memory.folder}/memories/${made}`);
      const gone = made === "" || made === "b.txt";
      const { isFile } = await Deno.lstat(`${memory.folder}/memories/moved/a.txt`)
        .catch(() => ({ isFile: false }));
      expect(isFile).toBe(!gone);
    },
  });
}

Deno.test("memory makes no folder for a rename of what is not there, nor where files are switched off", async () => {
  await using memory = await start(() => Promise.resolve());
  const missing = { [COMMAND]: "rename", old_path: "/memories/x", new_path: "/memories/new/y" };
  await expect(memory.run(missing)).rejects.toThrow("does not exist");
  await expect(Deno.lstat(`${memory.folder}/memories/new`)).rejects.toThrow(Deno.errors.NotFound);
  const off = testApp({ config: { disabled: new Set(["filesystem"]) } });
  const memory_dir = `${memory.folder}/never`;
  const content = [{
    type: "tool_use",
    id: "a",
    name: "memory",
    input: { ...VIEW, path: "/memories" },
  }];
  const { text } = await off.post("/api/agents/anthropic", { content, memory_dir });
  expect(text).toContain("disabled");
  await expect(Deno.lstat(memory_dir)).rejects.toThrow(Deno.errors.NotFound);
  for (const image_path of ["/etc/hostname", "/etc/no-such-file"]) {
    const { status, json } = await off.post("/api/display/locate", { image_path });
    expect([status, json.detail]).toEqual([
      403,
      'The group "filesystem" is disabled by --disable',
    ]);
  }
});
