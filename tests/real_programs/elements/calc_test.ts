/** LibreOffice Calc by its elements, proved by the file that it saves. */

import { expect } from "expect";
import { openCalc } from "../support/calc.ts";
import { waitFor } from "../../support/wait.ts";
import { pick } from "../../support/extent.ts";
import { openElementDesktop } from "./support/element_desktop.ts";
import { expectAtColour } from "./support/expect_at_colour.ts";

const ROUNDS = pick({ short: 5, full: 50 });

Deno.test("LibreOffice Calc by its elements", async (t) => {
  await using desktop = await openElementDesktop();
  const colour = "#12ab34";
  // LibreOffice names other parents where it is asked for its elements while it starts
  const shown = desktop.call("display/wait", {
    until: { element: { role: "cell", name: "B6" } },
    timeout_ms: 60_000,
  });
  await using calc = await openCalc(desktop.session.place, { background: colour });
  await shown;
  const cell = { role: "cell", name: "B2" };

  await t.step("the first click by a ref hits the cell", async () => {
    const { ref } = await desktop.element({ role: "cell", name: "B6" });
    await desktop.call("mouse/left-click", { ref });
    await desktop.call("keyboard/type", { text: "here\n" });
    expect(await calc.savedCells()).toEqual([[], [], [], [], [], ["", "here"]]);
  });

  await t.step("a cell is where it shows, also after the window has moved", async () => {
    await expectAtColour(desktop, { window: calc.window, colour, wanted: cell });
  });

  await t.step("a number in a dialog is kept, which its button shows", async () => {
    await desktop.call("accessibility/act", {
      action: "menu",
      menu_path: ["Sheet", "Insert Sheet..."],
    });
    const number = await desktop.element({ role: "spinbutton", name: "No. of sheets:" });
    const byProgram = await desktop.act(number.ref, "set_value", { value: "2", method: "program" });
    expect(byProgram).toMatchObject({ result: "unverified", value: "2" });
    const acted = await desktop.act(number.ref, "set_value", { value: "3" });
    expect(acted).toMatchObject({ result: "confirmed", by: "input", value: "3" });
    const ok = await desktop.element({ role: "button", name: "OK" });
    expect(await desktop.act(ok.ref, "click")).toMatchObject({ result: "confirmed", by: "input" });
    await desktop.element({ role: "tab", name: "Sheet4" });
    const tabs = (await desktop.elements()).filter(({ role }) => role === "tab");
    expect(tabs.map(({ name }) => name).sort()).toEqual(["Sheet1", "Sheet2", "Sheet3", "Sheet4"]);
  });

  await t.step("an item of an open menu is read, and a click by its ref chooses it", async () => {
    const { ref } = await desktop.element({ role: "menu", name: "Sheet" });
    await desktop.call("mouse/left-click", { ref });
    const item = await desktop.element({ role: "menuitem", name: "Insert Sheet..." });
    await desktop.call("mouse/left-click", { ref: item.ref });
    await desktop.element({ role: "spinbutton", name: "No. of sheets:" });
    const cancel = await desktop.element({ role: "button", name: "Cancel" });
    expect((await desktop.act(cancel.ref, "click")).result).toBe("confirmed");
  });

  await t.step("a click on a row of the options shows its page", async () => {
    await desktop.call("keyboard/key", { key: "alt+F12" });
    const other = await desktop.element({ role: "cell", name: "Paths" });
    const byProgram = await desktop.act(other.ref, "select", { method: "program" });
    expect(byProgram.result).toBe("unverified");
    const row = await desktop.element({ role: "cell", name: "View" });
    expect(await desktop.act(row.ref, "click")).toMatchObject({ result: "confirmed", by: "input" });
    await desktop.element({ role: "checkbox", name: "Show preview of fonts" });
    const closed = await desktop.element({ role: "cell", name: "Charts" });
    expect((await desktop.act(closed.ref, "expand")).states).toContain("expanded");
    await desktop.element({ role: "cell", name: "Default Colors" });
    await desktop.call("keyboard/key", { key: "escape" });
    await waitFor(async () => {
      const sheet = await desktop.element({ role: "window", name: /LibreOffice Calc$/ });
      return sheet.states.includes("active");
    });
  });

  await t.step("elements answer while a click has opened a dialog over a dialog", async () => {
    await Deno.writeTextFile(`${desktop.session.home.path}/cells.csv`, "a;b\n1;2\n");
    const menu = { action: "menu", menu_path: ["Sheet", "Insert Sheet From File..."] };
    await desktop.call("accessibility/act", menu);
    const insert = await desktop.element({ role: "button", name: "Insert" });
    const said = await desktop.refused(404, "accessibility/act", {
      action: "menu",
      menu_path: ["File", "Save"],
    });
    expect(said).toContain('no item \\"File\\"');
    await desktop.call("keyboard/type", { text: `${desktop.session.home.path}/cells.csv` });
    expect((await desktop.act(insert.ref, "click")).result).toBe("confirmed");
    const separator = await desktop.element({ role: "checkbox", name: "Semicolon" });
    expect((await desktop.act(separator.ref, "click")).result).toBe("confirmed");
    for (const dialog of [/^Text Import/, "Insert Sheet"]) {
      await desktop.element({ role: "dialog", name: dialog });
      const cancels = (await desktop.elements()).filter(({ name }) => name === "Cancel");
      expect((await desktop.act(cancels.at(-1)!.ref, "click")).result).toBe("confirmed");
    }
  });

  await t.step(`a cell is filled by its ref, ${ROUNDS} times`, async () => {
    const { ref } = await desktop.element(cell);
    const wrong: unknown[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const value = `round ${round} äöü`;
      const acted = await desktop.act(ref, "set_value", { value });
      const [, row] = await calc.savedCells();
      if (row?.[1] !== value) wrong.push({ round, row, acted });
    }
    expect(wrong).toEqual([]);
  });
});
