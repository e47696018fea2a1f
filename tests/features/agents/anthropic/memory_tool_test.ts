/** Anthropic's memory tool: files below `/memories`, and no way out of it. */

import { expect } from "expect";
import { errorOf, startWithoutDisplay, textOf, use } from "../../../support/anthropic.ts";
import type { Service } from "../../../support/service.ts";

function memory(command: string, input: Readonly<Record<string, unknown>>) {
  return use("memory", { command, ...input });
}

interface Place extends AsyncDisposable {
  readonly service: Service;
  readonly folder: string;
  /** Names the folder as `/memories`. */
  readonly more: { readonly memory_dir: string };
}

async function start(): Promise<Place> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const service = await startWithoutDisplay();
  return {
    service,
    folder,
    more: { memory_dir: `${folder}/made/memories` },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("memory creates, shows, changes, renames and deletes below its folder", async () => {
  await using place = await start();
  const { service, more } = place;
  const real = (name: string) => Deno.readTextFile(`${more.memory_dir}/${name}`);
  const say = (command: string, input: Readonly<Record<string, unknown>>) =>
    textOf(service, memory(command, input), more);
  expect(await say("view", { path: "/memories" })).toContain("up to 2 levels deep in /memories");
  const path = "/memories/notes/a.txt";
  expect(await say("create", { path, file_text: "one\ntwo\n" }))
    .toBe(`File created successfully at: ${path}`);
  expect(await real("notes/a.txt")).toBe("one\ntwo\n");
  expect(await say("view", { path }))
    .toBe(`Here's the content of ${path} with line numbers:\n     1\tone\n     2\ttwo`);
  expect(await say("view", { path, view_range: [2, 2] })).toContain("\n     2\ttwo");
  expect(await say("str_replace", { path, old_str: "two", new_str: "2" }))
    .toContain("The memory file has been edited.");
  expect(await say("insert", { path, insert_line: 1, insert_text: "1.5\n" }))
    .toContain(`The file ${path} has been edited.`);
  expect(await real("notes/a.txt")).toBe("one\n1.5\n2\n");
  expect(await say("view", { path: "/memories/" })).toContain("10B\t/memories/notes/a.txt");
  expect(await say("rename", { old_path: path, new_path: "/memories/old/b.txt" }))
    .toBe(`Successfully renamed ${path} to /memories/old/b.txt`);
  expect(await real("old/b.txt")).toBe("one\n1.5\n2\n");
  expect(await say("delete", { path: "/memories/old" })).toBe("Successfully deleted /memories/old");
  expect(await namesIn(more.memory_dir)).toEqual(["notes"]);
});

Deno.test("memory is in the state folder where none is named, and only its owner reads it", async () => {
  await using service = await startWithoutDisplay();
  await textOf(service, memory("create", { path: "/memories/a.txt", file_text: "kept" }));
  expect(await textOf(service, memory("view", { path: "/memories/a.txt" }))).toContain("kept");
  const { stateDir } = service.config;
  expect(await Deno.readTextFile(`${stateDir}/memories/a.txt`)).toBe("kept");
  const { mode } = await Deno.stat(`${stateDir}/memories`);
  if (mode !== null) expect(mode & 0o077).toBe(0);
});

Deno.test("memory refuses every path that leads out of its folder", async () => {
  await using place = await start();
  const { service, folder, more } = place;
  await Deno.writeTextFile(`${folder}/secret.txt`, "secret");
  await textOf(service, memory("create", { path: "/memories/a.txt", file_text: "a" }), more);
  await Deno.symlink(folder, `${more.memory_dir}/out`);
  await Deno.symlink(`${folder}/secret.txt`, `${more.memory_dir}/file`);
  await Deno.symlink(`${folder}/made.txt`, `${more.memory_dir}/dangling`);
  const paths = [
    "/memories/../secret.txt",
    "/memories/x/../../../secret.txt",
    "/memories/./a.txt",
    "/memories//a.txt",
    "/memories/..",
    "/memories/..\\secret.txt",
    `${folder}/secret.txt`,
    "/memoriesx/a.txt",
    "memories/a.txt",
    "secret.txt",
    "~/secret.txt",
    "/memories/out/secret.txt",
    "/memories/file",
    "/memories/dangling",
    "/memories/a\0b",
  ];
  for (const path of paths) {
    const calls = [
      memory("view", { path }),
      memory("create", { path, file_text: "x" }),
      memory("str_replace", { path, old_str: "secret", new_str: "x" }),
      memory("insert", { path, insert_line: 0, insert_text: "x" }),
      memory("delete", { path }),
      memory("rename", { old_path: path, new_path: "/memories/stolen.txt" }),
      memory("rename", { old_path: "/memories/a.txt", new_path: path }),
    ];
    for (const call of calls) expect(await errorOf(service, call, more)).not.toContain("secret\n");
  }
  expect(await Deno.readTextFile(`${folder}/secret.txt`)).toBe("secret");
  expect(await namesIn(folder))
    .toEqual(["made", "secret.txt"]);
  expect(await namesIn(more.memory_dir))
    .toEqual(["a.txt", "dangling", "file", "out"]);
});

Deno.test("memory is answered with an error that says what would be right, without the real folder", async () => {
  await using place = await start();
  const { service, folder, more } = place;
  const path = "/memories/a.txt";
  await textOf(service, memory("create", { path, file_text: "one\none\n" }), more);
  await textOf(service, memory("create", { path: "/memories/b", file_text: "" }), more);
  const none = "The path /memories/none does not exist. Please provide a valid path.";
  const wrong: [unknown, string][] = [
    [memory("view", { path: "/memories/none" }), none],
    [memory("delete", { path: "/memories/none" }), none],
    [memory("rename", { old_path: "/memories/none", new_path: "/memories/c" }), none],
    [memory("create", { path, file_text: "x" }), `Error: File ${path} already exists`],
    [memory("create", { path }), "file_text: Field required"],
    [memory("str_replace", { path, old_str: "one", new_str: "x" }), "in lines: 1, 2. Please"],
    [memory("str_replace", { path, old_str: "two", new_str: "x" }), `verbatim in ${path}`],
    [memory("insert", { path, insert_line: 3, insert_text: "x" }), "[0, 2]"],
    [memory("rename", { old_path: path, new_path: "/memories/b" }), "/memories/b already exists"],
    [memory("rename", { old_path: "/memories", new_path: "/memories/c" }), "cannot be renamed"],
    [memory("delete", { path: "/memories" }), "cannot be deleted"],
    [memory("delete", { path: "/memories/" }), "cannot be deleted"],
    [memory("create", { path: "/memories/a.txt/x", file_text: "" }), "/memories/a.txt"],
    [memory("forget", { path }), 'There is no command "forget"'],
    [memory("view", { path, all: true }), 'all: Unknown field: "view" takes'],
    [use("memory", {}), "command: Field required"],
  ];
  for (const [call, text] of wrong) {
    const answered = await errorOf(service, call, more);
    expect(answered).toContain(text);
    expect(answered).not.toContain(folder);
  }
  expect(await Deno.readTextFile(`${more.memory_dir}/a.txt`)).toBe("one\none\n");
});

async function namesIn(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  return entries.map(({ name }) => name).toSorted();
}
