/** Anthropic's text editor tools, in every version. */

import { expect } from "expect";
import { errorOf, startWithoutDisplay, textOf, use } from "../../../support/anthropic.ts";
import type { Service } from "../../../support/service.ts";

const NEWEST = {
  tools: [{
    type: "text_editor_20250728",
    name: "str_replace_based_edit_tool",
    max_characters: 90,
  }],
};
const MIDDLE = { tools: [{ type: "text_editor_20250429", name: "str_replace_based_edit_tool" }] };
const OLDEST = { tools: [{ type: "text_editor_20250124", name: "str_replace_editor" }] };

function edit(command: string, input: Readonly<Record<string, unknown>>, name?: string) {
  return use(name ?? "str_replace_based_edit_tool", { command, ...input });
}

interface Place extends AsyncDisposable {
  readonly service: Service;
  readonly folder: string;
  read(name: string): Promise<string>;
}

async function start(): Promise<Place> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const service = await startWithoutDisplay();
  return {
    service,
    folder,
    read: (name) => Deno.readTextFile(`${folder}/${name}`),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("text editor creates, views, replaces and inserts, byte for byte", async () => {
  await using place = await start();
  const { service, folder, read } = place;
  const path = `${folder}/deep/primes.py`;
  const file_text = "def f(n):\r\n\treturn n\r\nprint(f(1))";
  expect(await textOf(service, edit("create", { path, file_text })))
    .toBe(`File created successfully at: ${path}`);
  expect(await read("deep/primes.py")).toBe(file_text);
  expect(await textOf(service, edit("view", { path }))).toBe(
    `Here's the content of ${path} with line numbers:\n` +
      "     1\tdef f(n):\n     2\t\treturn n\n     3\tprint(f(1))",
  );
  expect(await textOf(service, edit("view", { path, view_range: [2, 2] })))
    .toBe(`Here's the content of ${path} with line numbers:\n     2\t\treturn n`);
  expect(await textOf(service, edit("view", { path, view_range: [3, -1] }))).toContain("     3\tp");

  expect(
    await textOf(service, edit("str_replace", { path, old_str: "n\r\n", new_str: "n + 1\r\n" })),
  )
    .toContain(`The file ${path} has been edited. Here is the snippet`);
  expect(await read("deep/primes.py")).toBe("def f(n):\r\n\treturn n + 1\r\nprint(f(1))");
  expect(await textOf(service, edit("insert", { path, insert_line: 0, insert_text: "# top" })))
    .toContain("     1\t# top");
  await textOf(service, edit("insert", { path, insert_line: 2, new_str: "\t# in" }));
  await textOf(service, edit("insert", { path, insert_line: 5, insert_text: "# end\n" }));
  expect(await read("deep/primes.py")).toBe(
    "# top\r\ndef f(n):\r\n\t# in\r\n\treturn n + 1\r\nprint(f(1))\r\n# end\n",
  );
  await textOf(service, edit("str_replace", { path, old_str: "# top\r\n" }));
  expect((await read("deep/primes.py")).startsWith("def f")).toBe(true);
});

Deno.test("text editor replaces only what is there exactly once, and says where it is", async () => {
  await using place = await start();
  const { service, folder, read } = place;
  const path = `${folder}/a.txt`;
  const before = "one\ntwo one\nthree\n";
  await Deno.writeTextFile(path, before);
  const replace = (old_str: string) => edit("str_replace", { path, old_str, new_str: "x" });
  expect(await errorOf(service, replace("one"))).toBe(
    "No replacement was performed. Multiple occurrences of old_str in lines: 1, 2. Please ensure it is unique",
  );
  expect(await errorOf(service, replace("four")))
    .toContain(`No replacement was performed, old_str did not appear verbatim in ${path}`);
  expect(await errorOf(service, replace(""))).toContain("old_str: ");
  expect(await read("a.txt")).toBe(before);
  await textOf(service, replace("two one"));
  expect(await read("a.txt")).toBe("one\nx\nthree\n");
  const refused = { path, old_str: "e", new_str: "y", unique: true };
  expect(await service.refused(422, "/api/editor/str-replace", refused)).toContain(
    "occurs 3 times",
  );
  expect(await read("a.txt")).toBe("one\nx\nthree\n");
});

Deno.test("text editor shows a folder two levels deep, and cuts what is too long", async () => {
  await using place = await start();
  const { service, folder } = place;
  await Deno.mkdir(`${folder}/b/c/d`, { recursive: true });
  await Deno.mkdir(`${folder}/node_modules`);
  for (const name of ["a.txt", ".hidden", "b/e.txt", "b/c/deep.txt"]) {
    await Deno.writeTextFile(`${folder}/${name}`, "x".repeat(1536));
  }
  const listed = (await textOf(service, edit("view", { path: folder }))).split("\n").slice(1);
  expect(listed[0]).toBe(folder);
  expect(listed.slice(1).map((line) => line.split("\t")[1])).toEqual(
    ["a.txt", "b/", "b/c/", "b/e.txt"].map((name) => `${folder}/${name}`),
  );
  expect(listed[1]).toMatch(/^1\.5K\t/);
  expect(await errorOf(service, edit("view", { path: folder, view_range: [1, 2] })))
    .toContain("not allowed when `path` points to a directory");

  await Deno.writeTextFile(`${folder}/long.txt`, "line\n".repeat(1_000_000));
  const cut = await textOf(service, edit("view", { path: `${folder}/long.txt` }), NEWEST);
  const [, ...shown] = cut.split("\n");
  expect(shown.join("\n").indexOf("\n[...")).toBeLessThanOrEqual(90);
  expect(shown.slice(0, 2)).toEqual(["     1\tline", "     2\tline"]);
  expect(shown.at(-1)).toBe("[... the file goes on: view_range [8, -1]]");
  const long = await textOf(service, edit("view", { path: `${folder}/long.txt` }));
  expect(long.length).toBeLessThan(201_000);
});

Deno.test("text editor views any range of files of any size, and says where the rest begins", async () => {
  await using place = await start();
  const { service, folder } = place;
  const path = `${folder}/large.txt`;
  await Deno.writeTextFile(
    path,
    Array.from({ length: 1_000_000 }, (_, at) => `${at + 1}\n`).join(""),
  );
  const view = async (...view_range: number[]) => {
    const text = await textOf(service, edit("view", { path, view_range }));
    return text.split("\n").slice(1);
  };
  const line = (number: number) => `${String(number).padStart(6)}\t${number}`;
  expect(await view(999_999, -1)).toEqual([line(999_999), line(1_000_000)]);
  expect(await view(500_000, 500_001)).toEqual([line(500_000), line(500_001)]);
  for (const last of [-1, 900_000]) {
    const lines = await view(500_000, last);
    expect(lines.length).toBeGreaterThan(10_000);
    expect(lines.slice(0, -1)).toEqual(lines.slice(0, -1).map((_, at) => line(500_000 + at)));
    expect(lines.at(-1))
      .toBe(`[... the file goes on: view_range [${500_000 + lines.length - 1}, ${last}]]`);
  }
  await Deno.writeTextFile(path, `first\n${"漢".repeat(900_000)}\nlast\n`); // cut after any byte
  const [long, more] = await view(2, 2);
  expect(long).toMatch(/^ {5}2\t漢{100000,}$/);
  expect(more).toBe("[... the line goes on]");
  expect(await view(3, -1)).toEqual(["     3\tlast"]);
  for (const before of ["", "x"]) { // one of them is cut within a character
    await Deno.writeTextFile(path, before + "😀".repeat(200_000));
    expect((await view(1, 1))[0]).toMatch(/^ {5}1\tx?(😀)+$/u);
  }
  await Deno.writeTextFile(path, "\n".repeat(3_000_000));
  expect((await view(1, -1)).at(-1)).toMatch(
    /^\[\.\.\. the file goes on: view_range \[\d{5}, -1\]\]$/,
  );
});

Deno.test("text editor lists the beginning of a folder that has very many entries", async () => {
  await using place = await start();
  const { service, folder } = place;
  await Deno.mkdir(`${folder}/many`);
  for (let at = 0; at < 20_000; at++) {
    await Deno.writeTextFile(`${folder}/many/${String(at).padStart(6, "0")}`, "");
  }
  const list = async (path: string) => (await textOf(service, edit("view", { path }))).split("\n");
  const lines = await list(`${folder}/many`);
  expect(lines.length).toBe(1_003);
  expect(lines.slice(2, 4)).toEqual([0, 1].map((at) => `0B\t${folder}/many/00000${at}`));
  expect(lines.at(-1)).toBe("[more entries: only 1000 are listed]");
  expect((await list(folder)).at(-1))
    .toMatch(/\t.*\/many\/ \[not listed: too many entries, or not readable\]$/);
});

Deno.test("text editor edits files of several megabytes", async () => {
  await using place = await start();
  const { service, folder } = place;
  const path = `${folder}/large.txt`;
  const rest = "a line of an ordinary text\n".repeat(100_000);
  await Deno.writeTextFile(path, `${rest}here\n`);
  const view = edit("view", { path });
  expect(await textOf(service, view)).toContain("     1\ta line of an ordinary text\n");
  const replace = (old_str: string) => edit("str_replace", { path, old_str, new_str: "there" });
  expect(await errorOf(service, replace("ordinary"))).toContain("occurs 100000 times");
  await textOf(service, replace("here"));
  await textOf(service, edit("insert", { path, insert_line: 0, insert_text: "top" }));
  expect(await Deno.readTextFile(path)).toBe(`top\n${rest}there\n`);

  await Deno.writeTextFile(path, "\n".repeat(600_000)); // twice as long in JSON
  await textOf(service, edit("insert", { path, insert_line: 600_000, insert_text: "end" }));
  await textOf(service, replace("end"));
  expect(await Deno.readTextFile(path)).toBe(`${"\n".repeat(600_000)}there\n`);
});

Deno.test("only the oldest text editor undoes, and each version names its own field", async () => {
  await using place = await start();
  const { service, folder, read } = place;
  const path = `${folder}/a.txt`;
  const oldest = (command: string, input: Readonly<Record<string, unknown>>) =>
    edit(command, input, "str_replace_editor");
  await textOf(service, oldest("create", { path, file_text: "one\n" }), OLDEST);
  await textOf(service, oldest("insert", { path, insert_line: 1, new_str: "two" }), OLDEST);
  expect(await read("a.txt")).toBe("one\ntwo\n");
  expect(await textOf(service, oldest("undo_edit", { path }), OLDEST)).toContain("undone");
  expect(await read("a.txt")).toBe("one\n");
  for (const version of [NEWEST, MIDDLE]) {
    expect(await errorOf(service, edit("undo_edit", { path }), version))
      .toBe(
        'There is no command "undo_edit" in this version of the tool; there are view, create, str_replace, insert',
      );
  }
  const insert = edit("insert", { path, insert_line: 1 });
  expect(await errorOf(service, insert, NEWEST)).toBe("insert_text: Field required");
  expect(await errorOf(service, insert, MIDDLE)).toBe("new_str: Field required");
});

Deno.test("text editor is answered with an error that says what would be right", async () => {
  await using place = await start();
  const { service, folder } = place;
  const path = `${folder}/a.txt`;
  await Deno.writeTextFile(path, "one\ntwo\n");
  const missing = `${folder}/none.txt`;
  const gone = `The path ${missing} does not exist. Please provide a valid path.`;
  const wrong: [unknown, string][] = [
    [edit("view", { path: missing }), gone],
    [edit("str_replace", { path: missing, old_str: "a", new_str: "b" }), gone],
    [edit("insert", { path: missing, insert_line: 0, insert_text: "a" }), gone],
    [edit("create", { path, file_text: "x" }), `File already exists at: ${path}`],
    [edit("insert", { path, insert_line: 3, insert_text: "a" }), "lines of the file: [0, 2]"],
    [edit("insert", { path, insert_line: -1, insert_text: "a" }), "insert_line: "],
    [edit("view", { path, view_range: [1] }), "view_range: "],
    [edit("view", { path, view_range: [9, 10] }), "beyond the end"],
    [edit("view", { path, lines: 3 }), 'lines: Unknown field: "view" takes "view_range"'],
    [edit("delete", { path }), 'There is no command "delete"'],
    [edit("view", {}), "path: Field required"],
    [edit("view", { path: "a\0b" }), "NUL"],
    [edit("str_replace", { path: folder, old_str: "a", new_str: "b" }), "folder"],
    [use("str_replace_based_edit_tool", {}), "command: Field required"],
  ];
  for (const [call, text] of wrong) expect(await errorOf(service, call)).toContain(text);
  expect(await Deno.readTextFile(path)).toBe("one\ntwo\n");
});
