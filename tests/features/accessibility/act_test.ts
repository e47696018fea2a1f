/** Actions on elements of a fake program: what is read back, and what follows when nothing happened. */

import { expect } from "expect";
import { fakeEditor, sentInput } from "../../support/fake_editor.ts";
import { type FakeElement, setState } from "../../support/fake_accessibility.ts";

Deno.test("a click is confirmed by the state, the value, the window or the windows that have changed", async () => {
  const editor = fakeEditor();
  const { ask, ref, accessibility, windows } = editor;
  const wrap = await ask("act", { ref: await ref("Wrap lines"), action: "click" });
  expect(wrap).toEqual({
    ...{ result: "confirmed", by: "program", reason: "It is no longer checked." },
    states: ["focusable"],
  });
  const save = { ref: await ref("Save"), action: "click" };
  const onClick = (effect: (element: FakeElement) => void) => {
    accessibility.get("save").acts = (_, element) => {
      effect(element);
      return true;
    };
  };
  onClick(() => accessibility.get("hint").name = "Saved");
  expect((await ask("act", save)).reason).toBe("The content of its window has changed.");
  onClick(() =>
    windows.show(...windows.shown as never[], {
      id: "w2",
      bounds: { x: 0, y: 0, width: 9, height: 9 },
    })
  );
  expect((await ask("act", save)).reason).toBe("A window has opened.");
  onClick((element) => element.hidden = true);
  expect(await ask("act", save)).toEqual({
    ...{ result: "confirmed", by: "program", reason: "It is no longer visible." },
  });
  expect(sentInput(editor)).toEqual([]);
});

Deno.test("a click that a program says it did, and did not, is unverified and is not done again", async () => {
  const editor = fakeEditor();
  const { ask, ref, accessibility } = editor;
  for (const id of ["save", "wrap"]) accessibility.get(id).acts = () => true;
  for (const name of ["Save", "Wrap lines"]) {
    const { result, by } = await ask("act", { ref: await ref(name), action: "click" });
    expect([name, result, by]).toEqual([name, "unverified", "program"]);
  }
  accessibility.get("save").acts = () => undefined; // no answer, as when a dialog is open
  expect(await ask("act", { ref: await ref("Save"), action: "click" })).toMatchObject({
    result: "unverified",
  });
  expect(accessibility.asked.filter((asked) => asked === "click save")).toHaveLength(2);
  expect(sentInput(editor)).toEqual([]);
});

Deno.test("a click that the program refuses is one of the real mouse, in the middle", async () => {
  const editor = fakeEditor();
  const { ask, ref, accessibility } = editor;
  accessibility.get("save").acts = () => false;
  const save = await ref("Save");
  expect(await ask("act", { ref: save, action: "click", method: "program" })).toMatchObject({
    ...{ result: "unverified", by: "program" },
  });
  expect(sentInput(editor)).toEqual([]);
  expect((await ask("act", { ref: save, action: "click" })).by).toBe("input");
  expect(sentInput(editor)).toEqual(["move 140,150", "press left", "release left"]);
});

Deno.test("nothing is done with an element that is disabled, gone, covered or another one", async () => {
  const editor = fakeEditor();
  const { app, ref, accessibility, windows } = editor;
  const [save, wrap, name] = [await ref("Save"), await ref("Wrap lines"), await ref("Name")];
  accessibility.get("save").states = ["disabled"];
  accessibility.get("wrap").name = "Delete all";
  windows.show(
    { id: "w2", title: "Ad", pid: 8, bounds: { x: 0, y: 0, width: 800, height: 600 } },
    ...windows.shown as never[],
  );
  for (
    const [body, said] of [
      [{ ref: save, action: "click" }, "is disabled"],
      [{ ref: wrap, action: "click" }, "has become another element"],
      [{ ref: name, action: "click", method: "input" }, 'covered by the window "Ad"'],
      [{ ref: "e999", action: "click" }, "take a new snapshot"],
    ] as const
  ) {
    const { status, json } = await app.post("/api/accessibility/act", body);
    expect([status, json.detail]).toEqual([409, expect.stringContaining(said)]);
  }
  expect([accessibility.asked, sentInput(editor)]).toEqual([[], []]);
});

Deno.test("selecting, checking and opening reach a state and read it back", async () => {
  const { ask, ref, accessibility } = fakeEditor();
  const wrap = await ref("Wrap lines");
  expect((await ask("act", { ref: wrap, action: "select" })).reason).toBe(
    "It was checked already.",
  );
  expect(await ask("act", { ref: wrap, action: "unselect" })).toMatchObject({
    ...{ result: "confirmed", reason: "It is not checked." },
  });
  accessibility.get("top").children!.push(
    { id: "tab", role: "tab", name: "Two", abilities: ["select"] },
    { id: "node", role: "treeitem", name: "Root", abilities: ["expand"], states: ["collapsed"] },
  );
  expect((await ask("act", { ref: await ref("Two"), action: "select" })).states).toEqual([
    "selected",
  ]);
  const node = accessibility.get("node");
  node.acts = () => {
    setState(node, "collapsed", false);
    setState(node, "expanded", true);
    return true;
  };
  const opened = await ask("act", { ref: await ref("Root"), action: "expand" });
  expect([opened.result, opened.states]).toEqual(["confirmed", ["expanded"]]);
});

Deno.test("focus and scrolling say whether they came about", async () => {
  const { ask, ref, accessibility } = fakeEditor();
  const name = await ref("Name");
  expect(await ask("act", { ref: name, action: "focus" })).toMatchObject({ result: "confirmed" });
  accessibility.get("save").acts = () => true; // does nothing
  const save = await ref("Save");
  expect(await ask("act", { ref: save, action: "focus" })).toMatchObject({ result: "unverified" });
  const far = accessibility.get("far");
  far.abilities = ["scroll to"];
  const wanted = { ref: await ref("Far away"), action: "scroll_to" };
  expect(await ask("act", wanted)).toMatchObject({ result: "unverified" });
  far.acts = () => {
    Object.assign(far, { states: [], bounds: { x: 110, y: 300, width: 60, height: 20 } });
    return true;
  };
  expect(await ask("act", wanted)).toMatchObject({ result: "confirmed" });
});

Deno.test("an item of a closed menu is chosen by the names on the way", async () => {
  const { app, ask, accessibility } = fakeEditor();
  const choose = (...menu_path: string[]) => ask("act", { action: "menu", menu_path });
  accessibility.get("saveas").acts = () => {
    accessibility.get("top").name = "copy.txt";
    return true;
  };
  expect(await choose("file", "save as...")).toMatchObject({
    ...{ result: "confirmed", by: "program", reason: "The title of the window has changed." },
  });
  expect(await choose("File", "New")).toMatchObject({ result: "unverified" });
  const missing = await app.post("/api/accessibility/act", {
    ...{ action: "menu", menu_path: ["File", "Print"] },
  });
  expect([missing.status, missing.json.detail]).toEqual([
    404,
    'The menu "File" has no item "Print": it has "New", "Save As…"',
  ]);
});

Deno.test("a menu that its program makes anew as it opens is found again by its name", async () => {
  const { ask, accessibility } = fakeEditor();
  const top = accessibility.get("top");
  const file = accessibility.get("file");
  const print: FakeElement = { id: "print", role: "menuitem", name: "Print", abilities: ["click"] };
  print.acts = () => {
    top.name = "printing";
    return true;
  };
  file.abilities = ["click"];
  file.children = [];
  file.acts = () => {
    accessibility.remove("file");
    top.children!.push({ id: "file again", role: "menu", name: "File", children: [print] });
    return true;
  };
  expect(await ask("act", { action: "menu", menu_path: ["File", "Print"] })).toMatchObject({
    ...{ result: "confirmed", by: "program", reason: "The title of the window has changed." },
  });
  expect(accessibility.asked).toEqual(["click file", "click print"]);
});

Deno.test("a menu that is missing while its program makes its menus anew is waited for", async () => {
  const { ask, accessibility } = fakeEditor();
  const file = accessibility.get("file");
  const read = accessibility.read.bind(accessibility);
  let readings = 0;
  accessibility.read = (reading) => {
    const isOfMenus = reading.hidden && reading.maxElements > 1;
    if (isOfMenus) file.name = ++readings === 1 ? "" : "File";
    return read(reading);
  };
  await ask("act", { action: "menu", menu_path: ["File", "New"] });
  expect(accessibility.asked).toEqual(["click new"]);
});

Deno.test("menus that a program has not reported in time are 504, and not missing", async () => {
  const { app, accessibility } = fakeEditor();
  const read = accessibility.read.bind(accessibility);
  accessibility.read = async (reading) => ({ ...await read(reading), truncated: ["time"] });
  const body = { action: "menu", menu_path: ["Edit", "Undo"] };
  expect(await app.post("/api/accessibility/act", body)).toMatchObject({
    status: 504,
    json: { detail: "The program did not report all its menus in time" },
  });
});

Deno.test("fields that an action needs or does not take are 422", async () => {
  const { app, ref } = fakeEditor();
  const name = await ref("Name");
  for (
    const [body, field] of [
      [{ action: "click" }, "ref"],
      [{ action: "set_value", ref: name }, "value"],
      [{ action: "click", ref: name, value: "a" }, "value"],
      [{ action: "menu" }, "menu_path"],
      [{ action: "focus", ref: name, menu_path: ["File"] }, "menu_path"],
      [{ action: "set_value", ref: await ref("Save"), value: "a" }, "action"],
      [{ action: "dance", ref: name }, "action"],
    ] as const
  ) {
    const { status, json } = await app.post("/api/accessibility/act", body);
    expect([status, json.detail[0].loc]).toEqual([422, ["body", field]]);
  }
});

Deno.test("without mouse or keyboard only programs act, and --read-only forbids it", async () => {
  const off = fakeEditor({ config: { disabled: new Set(["mouse", "keyboard"]) } });
  off.accessibility.get("save").acts = () => false;
  const { status } = await off.app.post("/api/accessibility/act", {
    ...{ ref: await off.ref("Save"), action: "click" },
  });
  expect(status).toBe(403);
  const reading = fakeEditor({ config: { readOnly: true } });
  const refused = await reading.app.post("/api/accessibility/act", {
    ...{ ref: await reading.ref("Save"), action: "click" },
  });
  expect([refused.status, reading.accessibility.asked]).toEqual([403, []]);
});

Deno.test("without the mouse no field is clicked to give it the focus", async () => {
  const off = fakeEditor({ config: { disabled: new Set(["mouse"]) } });
  const { app, accessibility } = off;
  const ref = await off.ref("Name");
  const focus = { ref, action: "focus" };
  expect((await app.post("/api/accessibility/act", focus)).status).toBe(200);
  Object.assign(accessibility.get("name"), { acts: () => true, states: ["editable"] }); // does nothing
  for (
    const [path, body] of [
      ["/api/accessibility/act", focus],
      ["/api/keyboard/type", { ref, text: "x" }],
    ] as const
  ) {
    const { status, json } = await app.post(path, body);
    expect([status, json.detail]).toEqual([403, 'The group "mouse" is disabled by --disable']);
  }
  expect(sentInput(off)).toEqual([]);
});

Deno.test("a batch acts by refs, and stops where an element is gone", async () => {
  const { app, ref, accessibility } = fakeEditor();
  const [name, save] = [await ref("Name"), await ref("Save")];
  accessibility.remove("save");
  const { json } = await app.post("/api/batch", {
    steps: [
      {
        operation: "accessibility.act",
        input: { ref: name, action: "set_value", value: "x" },
      },
      { operation: "accessibility.act", input: { ref: save, action: "click" } },
      { operation: "accessibility.snapshot" },
    ],
  });
  expect(json.results.map((one: { status: string }) => one.status)).toEqual([
    ...["done", "failed", "not_run"],
  ]);
  expect(json.results[0].value.result).toBe("confirmed");
  expect(json.results[1].error.status).toBe(409);
});
