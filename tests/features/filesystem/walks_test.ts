/** list, search and tree: what they give, in which order, and what they leave out. */

import { expect } from "expect";
import { type FilesApp, openFilesApp } from "./files_app.ts";

async function openWithTree(): Promise<FilesApp> {
  const app = await openFilesApp();
  for (const name of ["b.txt", "a/x.txt", "a/y.md", "a/deep/z.txt", "c/w.txt", ".h/i.txt", ".j"]) {
    await app.put(name, "12345");
  }
  return app;
}

function names(entries: readonly { name: string }[]): string[] {
  return entries.map(({ name }) => name);
}

function below(app: FilesApp, entries: readonly { path: string }[]): string[] {
  return entries.map(({ path }) => path.slice(app.home.length + 1));
}

Deno.test("list gives folders first, then by name, with every field", async () => {
  await using app = await openWithTree();
  const entries = await app.call("filesystem/list", { path: "~" });
  expect(names(entries)).toEqual(["a", "c", "b.txt"]);
  expect(entries[2]).toEqual({
    name: "b.txt",
    path: app.at("b.txt"),
    type: "file",
    size: 5,
    modified_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?$/),
    is_hidden: false,
    extension: "txt",
  });
  expect(entries[0]).toMatchObject({ type: "directory", extension: null });
});

Deno.test("list shows hidden entries when asked, and filters by name", async () => {
  await using app = await openWithTree();
  const hidden = await app.call("filesystem/list", { path: "~", include_hidden: true });
  expect(names(hidden)).toEqual([".h", "a", "c", ".j", "b.txt"]);
  expect(hidden[0].is_hidden).toBe(true);
  expect(names(await app.call("filesystem/list", { path: "~", pattern: "*.txt" }))).toEqual([
    "b.txt",
  ]);
  expect(await app.call("filesystem/list", { path: "~", pattern: null })).toHaveLength(3);
});

Deno.test("list sorts by code point", async () => {
  await using app = await openFilesApp();
  for (const name of ["\uff5e", "😀", "a", "B", "é", "_"]) await app.put(name, "");
  const entries = await app.call("filesystem/list", { path: "~" });
  expect(names(entries)).toEqual(["B", "_", "a", "é", "\uff5e", "😀"]);
});

Deno.test("search finds at any depth, folders first, then by path", async () => {
  await using app = await openWithTree();
  const all = await app.call("filesystem/search", { root_path: app.home, pattern: "*" });
  expect(below(app, all)).toEqual([
    ...["a", "a/deep", "c"],
    ...["a/deep/z.txt", "a/x.txt", "a/y.md", "b.txt", "c/w.txt"],
  ]);
  const texts = await app.call("filesystem/search", { root_path: "~", pattern: "*.txt" });
  expect(below(app, texts)).toEqual(["a/deep/z.txt", "a/x.txt", "b.txt", "c/w.txt"]);
  const paths = await app.call("filesystem/search", { root_path: "~", pattern: "a/**/*.txt" });
  expect(below(app, paths)).toEqual(["a/deep/z.txt", "a/x.txt"]);
});

Deno.test("search includes what is hidden, and what is below it, when asked", async () => {
  await using app = await openWithTree();
  const body = { root_path: "~", pattern: "*.txt", include_hidden: true };
  expect(below(app, await app.call("filesystem/search", body))).toContain(".h/i.txt");
  const inside = { root_path: "~/.h", pattern: "*" };
  expect(below(app, await app.call("filesystem/search", inside))).toEqual([".h/i.txt"]);
});

Deno.test("search stops at max_results, depth first in the order of names", async () => {
  await using app = await openWithTree();
  const body = { root_path: "~", pattern: "*.txt", max_results: 2 };
  const first = await app.call("filesystem/search", body);
  expect(below(app, first)).toEqual(["a/deep/z.txt", "a/x.txt"]);
  for (let again = 0; again < 5; again++) {
    expect(await app.call("filesystem/search", body)).toEqual(first);
  }
});

Deno.test("search finds the first names first, whatever order the system has", async () => {
  await using app = await openFilesApp();
  const all = Array.from({ length: 60 }, (_, number) => `f${String(number).padStart(2, "0")}`);
  for (const name of all.toReversed()) await app.put(name, "");
  const found = await app.call("filesystem/search", {
    root_path: "~",
    pattern: "*",
    max_results: 7,
  });
  expect(names(found)).toEqual(all.slice(0, 7));
});

Deno.test("tree shows folders with children and files without", async () => {
  await using app = await openWithTree();
  expect(await app.call("filesystem/tree", { path: "~" })).toEqual({
    name: "home",
    type: "directory",
    children: [
      {
        name: "a",
        type: "directory",
        children: [
          { name: "deep", type: "directory", children: [{ name: "z.txt", type: "file" }] },
          { name: "x.txt", type: "file" },
          { name: "y.md", type: "file" },
        ],
      },
      { name: "c", type: "directory", children: [{ name: "w.txt", type: "file" }] },
      { name: "b.txt", type: "file" },
    ],
  });
});

Deno.test("tree of depth 1 is the root and its entries, its folders truncated", async () => {
  await using app = await openWithTree();
  const { children } = await app.call("filesystem/tree", { path: "~", max_depth: 1 });
  expect(children).toEqual([
    { name: "a", type: "directory", children: [], truncated: true },
    { name: "c", type: "directory", children: [], truncated: true },
    { name: "b.txt", type: "file" },
  ]);
});

Deno.test("tree filters files, and keeps folders that hold a match or were not entered", async () => {
  await using app = await openWithTree();
  await Deno.mkdir(app.at("empty"));
  const whole = await app.call("filesystem/tree", { path: "~", pattern: "*.md" });
  expect(whole.children).toEqual([
    { name: "a", type: "directory", children: [{ name: "y.md", type: "file" }] },
  ]);
  const flat = await app.call("filesystem/tree", { path: "~", pattern: "*.md", max_depth: 1 });
  expect(names(flat.children)).toEqual(["a", "c", "empty"]);
  expect(await app.call("filesystem/tree", { path: "~", pattern: "no" })).toEqual({
    name: "home",
    type: "directory",
    children: [],
  });
});

Deno.test("tree enters no folder that holds more than max_entries still allows", async () => {
  await using app = await openWithTree();
  const { children, truncated } = await app.call("filesystem/tree", {
    path: "~",
    max_entries: 5,
  });
  expect(truncated).toBeUndefined();
  expect(children[0]).toEqual({ name: "a", type: "directory", children: [], truncated: true });
  expect(children[1].children).toEqual([{ name: "w.txt", type: "file" }]);
});

Deno.test("tree of a root with too many entries shows the first ones", async () => {
  await using app = await openWithTree();
  expect(await app.call("filesystem/tree", { path: "~", max_entries: 2 })).toEqual({
    name: "home",
    type: "directory",
    children: [
      { name: "a", type: "directory", children: [], truncated: true },
      { name: "c", type: "directory", children: [], truncated: true },
    ],
    truncated: true,
  });
});

Deno.test("tree writes names that need quoting", async () => {
  await using app = await openFilesApp();
  const name = 'a"b\\c\n\u0007日😀';
  await app.put(`${name}/${name}`, "");
  const { children } = await app.call("filesystem/tree", { path: "~" });
  expect(children).toEqual([
    { name, type: "directory", children: [{ name, type: "file" }] },
  ]);
});
