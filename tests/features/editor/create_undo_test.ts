/** create and undo-edit. */

import { expect } from "expect";
import { namesIn, openFilesApp } from "../filesystem/files_app.ts";
import { Edits } from "../../../src/features/editor/edits.ts";

Deno.test("create makes a file and the folders above, and never replaces one", async () => {
  await using app = await openFilesApp();
  await app.call("editor/create", { path: "a/b/x", file_text: "hällo" });
  expect(await Deno.readTextFile(app.at("a/b/x"))).toBe("hällo");
  await app.call("editor/create", { path: "empty", file_text: null });
  await app.call("editor/create", { path: "empty2" });
  expect((await Deno.stat(app.at("empty"))).size).toBe(0);
  await Deno.symlink("nowhere", app.at("dangling"));
  for (const path of ["a/b/x", "a", "dangling", "~"]) {
    const detail = await app.refused(400, "editor/create", { path, file_text: "y" });
    expect(detail).toContain("already exists");
  }
  expect(await Deno.readTextFile(app.at("a/b/x"))).toBe("hällo");
  expect(namesIn(app.home)).toEqual(["a", "dangling", "empty", "empty2"]);
});

Deno.test("create with a file in the way of a folder is 400, and leaves nothing", async () => {
  await using app = await openFilesApp();
  await app.put("file", "");
  expect(await app.refused(400, "editor/create", { path: "file/a/b" })).toContain("not a folder");
  expect(namesIn(app.home)).toEqual(["file"]);
});

Deno.test("create and write below a link that leads nowhere are 404, and leave nothing", async () => {
  await using app = await openFilesApp();
  await Deno.symlink("nowhere", app.at("dang"));
  for (const path of ["dang/x/y", "dang/x", "dang/x/y/z"]) {
    const detail = await app.refused(404, "editor/create", { path });
    expect(detail).toContain("leads to no folder");
    await app.refused(404, "filesystem/write", { path, content: "" });
  }
  expect(namesIn(app.home)).toEqual(["dang"]);
});

Deno.test("of many that create one file at once, one succeeds", async () => {
  await using app = await openFilesApp();
  const answers = await Promise.all(
    Array.from(
      { length: 20 },
      (_, number) => app.app.post("/api/editor/create", { path: "n/x", file_text: `${number}` }),
    ),
  );
  const made = answers.findIndex(({ status }) => status === 204);
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
  expect(await Deno.readTextFile(app.at("n/x"))).toBe(`${made}`);
});

Deno.test("undo-edit takes back edit by edit, to the create itself", async () => {
  await using app = await openFilesApp();
  await app.call("editor/create", { path: "x", file_text: "0\n" });
  const states = ["0\n"];
  for (let edit = 1; edit <= 25; edit++) {
    if (edit % 2 === 0) await app.call("editor/insert", { path: "x", text: `${edit}` });
    else await app.call("editor/str-replace", { path: "x", old_str: "\n", new_str: `-${edit}\n` });
    states.push(await Deno.readTextFile(app.at("x")));
  }
  while (states.length > 1) {
    expect(await Deno.readTextFile(app.at("x"))).toBe(states.pop());
    await app.call("editor/undo-edit", { path: "x" });
  }
  expect(await Deno.readTextFile(app.at("x"))).toBe("0\n");
  await app.call("editor/undo-edit", { path: "x" });
  expect(namesIn(app.home)).toEqual([]);
  expect(await app.refused(404, "editor/undo-edit", { path: "x" })).toContain("no such file");
});

Deno.test("undo-edit without an edit is 404", async () => {
  await using app = await openFilesApp();
  await app.put("x", "a");
  expect(await app.refused(404, "editor/undo-edit", { path: "x" })).toContain("no edit");
});

Deno.test("undo-edit of a file that somebody else has changed is 409, and changes nothing", async () => {
  await using app = await openFilesApp();
  await app.put("x", "a");
  await app.call("editor/str-replace", { path: "x", old_str: "a", new_str: "b" });
  await Deno.writeTextFile(app.at("x"), "c"); // the same size, at once
  expect(await app.refused(409, "editor/undo-edit", { path: "x" })).toContain("another program");
  expect(await Deno.readTextFile(app.at("x"))).toBe("c");
  await Deno.writeTextFile(app.at("x"), "b"); // as it was
  await app.call("editor/undo-edit", { path: "x" });
  expect(await Deno.readTextFile(app.at("x"))).toBe("a");
});

Deno.test("undo-edit of a create keeps what another program writes while it runs", async () => {
  await using app = await openFilesApp();
  await app.call("editor/create", { path: "x", file_text: "ours" });
  const { history } = app.app.session.use(Edits);
  const { last } = history;
  history.last = (path) => { // asked for when the file has been read
    Deno.writeTextFileSync(app.at("x"), "another program's");
    return last.call(history, path);
  };
  expect(await app.refused(409, "editor/undo-edit", { path: "x" })).toContain("another program");
  expect(await Deno.readTextFile(app.at("x"))).toBe("another program's");
  expect(namesIn(app.home)).toEqual(["x"]);
});

Deno.test("undo-edit finds the file under every one of its paths", async () => {
  await using app = await openFilesApp();
  await app.put("real/x", "a");
  await Deno.symlink("real", app.at("link"));
  await app.call("editor/str-replace", { path: "link/x", old_str: "a", new_str: "b" });
  await app.call("editor/undo-edit", { path: app.at("real/x") });
  expect(await Deno.readTextFile(app.at("real/x"))).toBe("a");
});

Deno.test("the undo history stays within its bound, and forgets the oldest edits first", async () => {
  const maxUndoBytes = 20_000;
  await using app = await openFilesApp({ limits: { maxUndoBytes } });
  const { history } = app.app.session.use(Edits);
  await app.put("old", "a");
  await app.call("editor/str-replace", { path: "old", old_str: "a", new_str: "b" });
  await app.put("x", "");
  for (let edit = 0; edit < 40; edit++) {
    await app.call("editor/insert", { path: "x", text: "y".repeat(900) });
    expect(history.bytes).toBeLessThanOrEqual(maxUndoBytes);
  }
  await app.refused(404, "editor/undo-edit", { path: "old" });
  await app.call("editor/undo-edit", { path: "x" });
  await app.call("editor/insert", { path: "x", text: "y".repeat(30_000) });
  expect(await app.refused(404, "editor/undo-edit", { path: "x" })).toContain("no edit");
  expect(history.bytes).toBe(0);
});
