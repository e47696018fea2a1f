/** Names of elements in errors and reasons: without the values of the keychain. */

import { expect } from "expect";
import { fakeEditor } from "../../support/fake_editor.ts";

const SECRET = "correct horse";

async function setUp() {
  const editor = fakeEditor();
  await editor.app.post("/api/keychain/set-item", {
    ...{ service: "shop", item: { password: SECRET } },
  });
  return {
    ...editor,
    /** What an action says about its failure. */
    async said(body: object): Promise<string> {
      const { json } = await editor.app.post("/api/accessibility/act", body);
      const text = JSON.stringify(json);
      expect(text).not.toContain("horse");
      return text;
    },
  };
}

Deno.test("the options of a list are named without stored values", async () => {
  const { said, ref, accessibility } = await setUp();
  accessibility.get("top").children!.push({
    ...{ id: "size", role: "combobox", name: "Size" },
    children: [
      { id: "s", role: "option", name: `my ${SECRET}!` },
      { id: "l", role: "option", name: "Large" },
    ],
  });
  expect(await said({ ref: await ref("Size"), action: "set_value", value: "Huge" }))
    .toMatch(/no such option: it has \\"my .*!\\", \\"Large\\"/);
});

Deno.test("menus and their items are named without stored values", async () => {
  const { said, accessibility } = await setUp();
  accessibility.get("new").name = `Open ${SECRET}`;
  expect(await said({ action: "menu", menu_path: ["File", "Print"] }))
    .toMatch(/The menu \\"File\\" has no item \\"Print\\": it has \\"Open .*\\", \\"Save As…\\"/);
  Object.assign(accessibility.get("new"), { states: ["disabled"] });
  expect(await said({ action: "menu", menu_path: ["File", `Open ${SECRET}`] }))
    .toMatch(/The menuitem \\"Open .* is disabled/);
});

Deno.test("what covers an element is named without stored values", async () => {
  const { said, ref, accessibility, windows } = await setUp();
  const click = { ref: await ref("Save"), action: "click", method: "input" };
  accessibility.get("wrap").name = `Wrap ${SECRET}`;
  accessibility.hit = () => "wrap";
  expect(await said(click)).toMatch(/covered by the checkbox \\"Wrap /);
  windows.show(
    { id: "w2", title: `Ad ${SECRET}`, pid: 8, bounds: { x: 0, y: 0, width: 800, height: 600 } },
    ...windows.shown as never[],
  );
  expect(await said(click)).toMatch(/covered by the window \\"Ad /);
});

Deno.test("what does not take the focus is named without stored values", async () => {
  const { ask, said, accessibility } = await setUp();
  Object.assign(accessibility.get("save"), { name: `Send ${SECRET}`, acts: () => true });
  const { elements: [{ ref }] } = await ask("find", { role: "button", name: "Send" });
  expect(await said({ ref, action: "focus", method: "program" }))
    .toMatch(/The button \\"Send .* did not take the keyboard focus/);
});
