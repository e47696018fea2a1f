/** What every operation does with input that cannot be right: the documented error, and nothing is written. */

import { expect } from "expect";
import { namesIn, openFilesApp } from "./files_app.ts";

/** Every operation that takes a path in its body: the field, and what else it needs. */
const operations: [string, string, Record<string, unknown>][] = [
  ["editor/view", "path", {}],
  ["editor/create", "path", { file_text: "x" }],
  ["editor/str-replace", "path", { old_str: "a", new_str: "b" }],
  ["editor/insert", "path", { text: "x" }],
  ["editor/undo-edit", "path", {}],
  ["filesystem/list", "path", {}],
  ["filesystem/search", "root_path", { pattern: "*" }],
  ["filesystem/tree", "path", {}],
  ["filesystem/read", "path", {}],
  ["filesystem/write", "path", { content: "x" }],
  ["filesystem/mkdir", "path", {}],
  ["filesystem/delete", "path", {}],
  ["filesystem/move", "source", { destination: "x" }],
  ["filesystem/move", "destination", { source: "kept" }],
  ["filesystem/copy", "source", { destination: "x" }],
  ["filesystem/copy", "destination", { source: "kept" }],
];

const paths: [string, unknown, string][] = [
  ["an empty path", "", "value_error"],
  ["another user's home", "~root/x", "value_error"],
  ["a NUL", "a\0b", "value_error"],
  ["a name of 5,000 characters", "n".repeat(5_000), "value_error"],
  ["a path of 20,000 characters", "n/".repeat(10_000), "string_too_long"],
  ["no path", undefined, "missing"],
  ["a number", 5, "string_type"],
  ["null", null, "string_type"],
  ["half a character", "\ud800", "string_unicode"],
];

for (const [operation, field, more] of operations) {
  Deno.test(`${operation} refuses an impossible ${field}`, async () => {
    await using app = await openFilesApp();
    await app.put("kept", "a");
    for (const [, path, type] of paths) {
      const detail = await app.refused(422, operation, { ...more, [field]: path });
      expect(detail).toHaveLength(1);
      expect(detail[0]).toMatchObject({ loc: ["body", field], type });
    }
    expect(namesIn(app.home)).toEqual(["kept"]);
    expect(await Deno.readTextFile(app.at("kept"))).toBe("a");
  });
}

const values: [string, Record<string, unknown>, string, string][] = [
  ["filesystem/tree", { max_depth: 0 }, "max_depth", "greater_than_equal"],
  ["filesystem/tree", { max_depth: 1.5 }, "max_depth", "int_from_float"],
  ["filesystem/tree", { max_depth: 1e9 }, "max_depth", "less_than_equal"],
  ["filesystem/tree", { max_entries: 0 }, "max_entries", "greater_than_equal"],
  ["filesystem/tree", { max_entries: 1_000_001 }, "max_entries", "less_than_equal"],
  ["filesystem/tree", { include_hidden: 1 }, "include_hidden", "bool_type"],
  ["filesystem/tree", { pattern: "*".repeat(10_000) }, "pattern", "string_too_long"],
  ["filesystem/tree", { pattern: "" }, "pattern", "string_too_short"],
  ["filesystem/list", { pattern: "{a,b/c}".repeat(20) }, "pattern", "value_error"],
  ["filesystem/read", { length: 0 }, "length", "greater_than_equal"],
  ["filesystem/read", { length: 8 * 2 ** 20 + 1 }, "length", "less_than_equal"],
  ["filesystem/read", { offset: -1 }, "offset", "greater_than_equal"],
  ["filesystem/read", { encoding: "utf-8" }, "encoding", "literal_error"],
  ["filesystem/write", { content: 5 }, "content", "string_type"],
  ["filesystem/delete", { recursive: "yes" }, "recursive", "bool_type"],
];

for (const [operation, fields, field, type] of values) {
  Deno.test(`${operation} refuses ${JSON.stringify(fields).slice(0, 50)}`, async () => {
    await using app = await openFilesApp();
    const detail = await app.refused(422, operation, { path: "~", ...fields });
    expect(detail).toHaveLength(1);
    expect(detail[0]).toMatchObject({ loc: ["body", field], type });
  });
}

const searches: [Record<string, unknown>, string, string][] = [
  [{ max_results: 0 }, "max_results", "greater_than_equal"],
  [{ max_results: 10_001 }, "max_results", "less_than_equal"],
  [{ pattern: undefined }, "pattern", "missing"],
  [{ pattern: null }, "pattern", "string_type"],
  [{ pattern: "x".repeat(10_000) }, "pattern", "string_too_long"],
];

for (const [fields, field, type] of searches) {
  Deno.test(`search refuses ${JSON.stringify(fields).slice(0, 50)}`, async () => {
    await using app = await openFilesApp();
    const body = { root_path: "~", pattern: "*", ...fields };
    const detail = await app.refused(422, "filesystem/search", body);
    expect(detail[0]).toMatchObject({ loc: ["body", field], type });
  });
}

Deno.test("missing paths are 404, files and folders in each other's place 400", async () => {
  await using app = await openFilesApp();
  await app.put("file", "a");
  for (const [operation, field, more] of operations) {
    if (field === "destination" || /create|write|mkdir/.test(operation)) continue;
    await app.refused(404, operation, { ...more, [field]: "gone" });
    await app.refused(400, operation, { ...more, [field]: "file/below" });
  }
  for (const operation of ["list", "tree"]) {
    await app.refused(400, `filesystem/${operation}`, { path: "file" });
  }
  await app.refused(400, "filesystem/search", { root_path: "file", pattern: "*" });
  await app.refused(400, "filesystem/read", { path: "~" });
  expect(namesIn(app.home)).toEqual(["file"]);
});

Deno.test("a pattern of many stars on a deep tree is answered at once", async () => {
  await using app = await openFilesApp();
  await app.put(`${"a/".repeat(500)}b`, "");
  const start = performance.now();
  for (const pattern of ["**/**/**/**/*", "**/a/**/a/**/a/**/a/**/z", "*a*a*a*a*a*a*a*b"]) {
    await app.call("filesystem/search", { root_path: "~", pattern, max_results: 10_000 });
  }
  expect(performance.now() - start).toBeLessThan(5_000);
});
