/** Input by ref to elements of programs that do not take it, and menus that are left as they were. */

import { expect } from "expect";
import { setState } from "../../support/fake_accessibility.ts";
import { fakeEditor, sentInput } from "../../support/fake_editor.ts";

Deno.test("a click by ref on a disabled button is 409, and so is typing where nothing takes text", async () => {
  const editor = fakeEditor();
  const { app, ref, accessibility } = editor;
  const refused = async (path: string, body: object) => {
    const { status, json } = await app.post(`/api/${path}`, body);
    return [status, json.detail];
  };
  const save = await ref("Save");
  const name = await ref("Name");
  setState(accessibility.get("save"), "disabled", true);
  expect(await refused("mouse/left-click", { ref: save })).toEqual([
    409,
    'The button "Save" is disabled: nothing was clicked',
  ]);
  accessibility.get("name").states = ["readonly"];
  expect(await refused("keyboard/type", { ref: name, text: "a" })).toEqual([
    409,
    'The textbox "Name" can only be read: nothing was typed',
  ]);
  setState(accessibility.get("name"), "disabled", true);
  expect(await refused("keyboard/type", { ref: name, text: "a" })).toEqual([
    409,
    'The textbox "Name" is disabled: nothing was typed',
  ]);
  expect(sentInput(editor).filter((line) => /press|type/.test(line))).toEqual([]);
});

Deno.test("an element that goes while its program is asked is named", async () => {
  const { app, ref, accessibility } = fakeEditor();
  const save = await ref("Save");
  const perform = accessibility.perform.bind(accessibility);
  accessibility.perform = (id, action) => {
    accessibility.remove(id);
    return perform(id, action);
  };
  const { status, json } = await app.post("/api/accessibility/act", { ref: save, action: "click" });
  expect(status).toBe(409);
  expect(json.detail).toMatch(/^The button "Save" is gone/);
});

Deno.test("only menus that were opened and are open are closed by Escape", async () => {
  for (const [stays, escapes] of [[true, 1], [false, 0]] as const) {
    const editor = fakeEditor();
    const { app, accessibility } = editor;
    const file = accessibility.get("file");
    file.abilities = ["click"];
    file.acts = () => {
      for (const item of file.children!) item.hidden = !stays;
      return true;
    };
    const menu_path = ["File", "Print", "Draft"];
    const { status } = await app.post("/api/accessibility/act", { action: "menu", menu_path });
    expect(status).toBe(404);
    expect(sentInput(editor).filter((line) => /press.*escape/i.test(line))).toHaveLength(escapes);
  }
});
