/** insert: the text becomes a line, with the line breaks that the file has. */

import { expect } from "expect";
import { openFilesApp } from "../filesystem/files_app.ts";

type Line = number | null | undefined;

/** What the file holds, the text, the line, and what the file holds then. */
const table: [string, string, string, Line, string][] = [
  ["at the top by 0", "a\nb\n", "x", 0, "x\na\nb\n"],
  ["at the top by 1", "a\nb\n", "x", 1, "x\na\nb\n"],
  ["in the middle", "a\nb\n", "x", 2, "a\nx\nb\n"],
  ["before the last line", "a\nb", "x", 2, "a\nx\nb"],
  ["at the end by n+1", "a\nb\n", "x", 3, "a\nb\nx\n"],
  ["at the end by null", "a\nb\n", "x", null, "a\nb\nx\n"],
  ["at the end by nothing", "a\nb\n", "x", undefined, "a\nb\nx\n"],
  ["after a last line without a break, with none after", "a\nb", "x", null, "a\nb\nx"],
  ["after a last line without a break by n+1", "a\nb", "x", 3, "a\nb\nx"],
  ["without a second break", "a\nb\n", "x\n", 2, "a\nx\nb\n"],
  ["several lines", "a\nb\n", "x\ny", 2, "a\nx\ny\nb\n"],
  ["with the file's own breaks", "a\r\nb\r\n", "x", 2, "a\r\nx\r\nb\r\n"],
  ["after an open last line with the file's own break", "a\r\nb", "x", null, "a\r\nb\r\nx"],
  ["into an empty file", "", "x", null, "x\n"],
  ["into an empty file at the top", "", "x", 1, "x\n"],
  ["into a file of one open line", "a", "x", 2, "a\nx"],
  ["behind a byte order mark", "\ufeffa\n", "x", 1, "\ufeffx\na\n"],
  ["into a file of nothing but a byte order mark", "\ufeff", "x", 1, "\ufeffx\n"],
  ["an empty text as an empty line", "a\nb\n", "", 2, "a\n\nb\n"],
  ["into a file of empty lines", "\n\n", "x", 3, "\n\nx\n"],
];

for (const [what, before, text, insert_line, after] of table) {
  Deno.test(`insert works ${what}`, async () => {
    await using app = await openFilesApp();
    await app.put("x", before);
    await app.call("editor/insert", { path: "x", text, insert_line });
    expect(await Deno.readTextFile(app.at("x"))).toBe(after);
    await app.call("editor/undo-edit", { path: "x" });
    expect(await Deno.readTextFile(app.at("x"))).toBe(before);
  });
}

Deno.test("insert beyond the end is 422 and names the number of lines", async () => {
  await using app = await openFilesApp();
  const errors: [string, number, string][] = [
    ["a\nb\n", 4, "has 2 lines"],
    ["a", 3, "has 1 line,"],
    ["", 2, "has 0 lines"],
  ];
  for (const [text, insert_line, words] of errors) {
    await app.put("x", text);
    const [error] = await app.refused(422, "editor/insert", { path: "x", text: "y", insert_line });
    expect(error).toMatchObject({ loc: ["body", "insert_line"], type: "value_error" });
    expect(error.msg).toContain(words);
    expect(await Deno.readTextFile(app.at("x"))).toBe(text);
  }
});

Deno.test("insert refuses lines that are no line numbers, and files that are not there", async () => {
  await using app = await openFilesApp();
  await app.put("x", "a\n");
  const errors: [unknown, string][] = [
    [-1, "greater_than_equal"],
    [1.5, "int_from_float"],
    ["1", "int_type"],
    [true, "int_type"],
    [1e9 * 10, "less_than_equal"],
  ];
  for (const [insert_line, type] of errors) {
    const [error] = await app.refused(422, "editor/insert", { path: "x", text: "y", insert_line });
    expect(error.type).toBe(type);
  }
  await app.refused(404, "editor/insert", { path: "gone", text: "y" });
  await app.refused(400, "editor/insert", { path: "~", text: "y" });
  expect(await Deno.readTextFile(app.at("x"))).toBe("a\n");
});
