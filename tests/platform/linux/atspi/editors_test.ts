/** AT-SPI by editors of three toolkits: texts by the saved file, places by clicks on them. */

import { expect } from "expect";
import { waitFor } from "../../../support/wait.ts";
import { startAccessibleSession } from "../../../real_programs/support/accessible_session.ts";
import { openCalc } from "../../../real_programs/support/calc.ts";
import { type EditorName, openEditor } from "../../../real_programs/support/editor.ts";
import { xdotool } from "../../../real_programs/support/xwindow.ts";
import type { Element } from "../../../../src/platform/types/mod.ts";
import { type Elements, flatten, NEVER, openElements } from "./support/elements.ts";

const EDITORS: Readonly<Record<EditorName, { readonly menu: Sought; readonly opened: Sought }>> = {
  "mousepad": {
    menu: { role: "menu", name: /^File$/ },
    opened: { role: "menuitem", name: /^Save As/ },
  },
  "featherpad": {
    menu: { role: "menuitem", name: /^Edit$/ },
    opened: { role: "menuitem", name: /^Select All$/ },
  },
  "gnome-text-editor": {
    menu: { role: "button", name: /^Menu$/ },
    opened: { role: "button", name: /Zoom in/i },
  },
};

/** Featherpad ends every text with a line break. */
const BEFORE = { "mousepad": "before", "featherpad": "before\n", "gnome-text-editor": "before" };

interface Sought {
  readonly role: string;
  readonly name: RegExp;
}

for (const name of Object.keys(EDITORS) as EditorName[]) {
  Deno.test(`AT-SPI and ${name} agree on texts and places`, async (test) => {
    await using session = await startAccessibleSession();
    await using elements = await openElements(session.display);
    await using editor = await openEditor(session.place, name, { text: BEFORE[name] });
    const { menu, opened } = EDITORS[name];

    await test.step("a text is read and replaced", async () => {
      const text = await waitFor(async () => await findText(elements, "before"), {
        what: "the text",
      });
      await elements.port.perform(text.id, { kind: "set value", value: "after 中文" }, NEVER);
      expect((await editor.savedText()).trimEnd()).toBe("after 中文");
      expect((await elements.refresh(text))!.value!.trimEnd()).toBe("after 中文");
    });

    await test.step("an element is where a click reaches it, also after the window moved", async () => {
      await xdotool(session.display, ["windowmove", `${editor.window.id}`, "133", "97"]);
      await waitFor(async () => Math.abs((await editor.window.rectangle()).x - 133) < 30, {
        what: "the window to move",
      });
      expect(await find(elements, opened)).toBe(undefined);
      const button = await waitFor(() => find(elements, menu), { what: `${menu.name}` });
      const again = (await elements.refresh(button))!;
      expect(again.bounds).toEqual(button.bounds);
      const { x, y, width, height } = button.bounds!;
      const point = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
      await xdotool(session.display, ["mousemove", `${point.x}`, `${point.y}`, "click", "1"]);
      await waitFor(() => find(elements, opened), { what: `${opened.name}` });
      await xdotool(session.display, ["key", "Escape"]);
    });
  });
}

Deno.test("AT-SPI reads the cells of Calc that show, of 2^31, and fills them in", async () => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  await using calc = await openCalc(session.place);
  const cell = await elements.find("cell", "B2");
  const all = flatten((await elements.read()).roots);
  const table = all.find(({ role }) => role === "table")!;
  expect(table.children.length).toBeGreaterThan(50);
  expect(table.children.length).toBeLessThan(2_000);
  const { x, y, width, height } = cell.bounds!;
  const point = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  await xdotool(session.display, ["mousemove", `${point.x}`, `${point.y}`, "click", "1"]);
  await waitFor(async () => (await elements.refresh(cell))?.states.has("focused"), {
    what: "the cursor in B2",
  });
  const found = await elements.port.elementAt(point, cell.id, NEVER);
  expect(await elements.port.contains(table.id, found!, NEVER)).toBe(true);
  expect(await elements.port.contains(cell.id, found!, NEVER)).toBe(true);
  const other = await elements.find("cell", "C2");
  expect(await elements.port.contains(other.id, found!, NEVER)).toBe(false);
  expect((await elements.find("cell", "B2")).id).toBe(cell.id);
  await elements.port.perform(cell.id, { kind: "set value", value: "17" }, NEVER);
  expect(await calc.savedCells()).toEqual([[], ["", "17"]]);
});

async function find(elements: Elements, { role, name }: Sought): Promise<Element | undefined> {
  const all = flatten((await elements.read()).roots);
  return all.find((each) => each.role === role && name.test(each.name) && each.bounds);
}

async function findText(elements: Elements, value: string): Promise<Element | undefined> {
  const all = flatten((await elements.read()).roots);
  return all.find((each) => each.role === "textbox" && each.value?.trimEnd() === value);
}
