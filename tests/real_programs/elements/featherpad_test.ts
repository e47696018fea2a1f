/** FeatherPad (Qt 5) by its elements, proved by the file that it saves. */

import { expect } from "expect";
import { waitFor } from "../../support/wait.ts";
import { openEditor } from "../support/editor.ts";
import { type ElementNode, openElementDesktop } from "./support/element_desktop.ts";
import { expectAtColour } from "./support/expect_at_colour.ts";

const TEXT = { role: "textbox", minHeight: 100 };

Deno.test("FeatherPad by its elements", async (t) => {
  await using desktop = await openElementDesktop();
  const colour = "#12ab34";
  await using editor = await openEditor(desktop.session.place, "featherpad", {
    background: colour,
  });

  await t.step("the tab is where it shows, also after the window has moved", async () => {
    const wanted = { role: "tab", name: "document.txt" };
    await expectAtColour(desktop, { window: editor.window, colour, wanted });
  });

  await t.step("set_value replaces the text of the file", async () => {
    const { ref } = await desktop.element(TEXT);
    const acted = await desktop.act(ref, "set_value", { value: "äöü 中文\nline 2" });
    expect(acted.result).toBe("confirmed");
    expect(await editor.savedText()).toBe("äöü 中文\nline 2\n");
  });

  await t.step("what a dialog shows as set is what the program has", async () => {
    await desktop.call("accessibility/act", {
      action: "menu",
      menu_path: ["Options", "Preferences"],
    });
    const size = await desktop.element({ role: "checkbox", name: /^Remember window size/ });
    const asked = await desktop.act(size.ref, "click", { method: "program" });
    expect(asked.result).toBe("unverified");
    await desktop.act(size.ref, "select");
    const clicked = await desktop.act(size.ref, "unselect");
    expect(clicked).toMatchObject({ result: "confirmed", by: "input" });
    const isWidth = ({ role, value }: ElementNode) => role === "spinbutton" && value === "700 px";
    const width = await waitFor(async () => {
      const found = (await desktop.elements()).find(isWidth);
      return found && !found.states.includes("disabled") && found;
    });
    const set = (value: string) => desktop.act(width.ref, "set_value", { value });
    expect(await set("650")).toMatchObject({ result: "confirmed", value: "650 px" });
    expect(await set("1000000")).toMatchObject({ result: "unverified" });
    const side = await desktop.element({ role: "combobox", name: "North" });
    const chosen = await desktop.act(side.ref, "set_value", { value: "West" });
    const now = (await desktop.elements()).find(({ ref }) => ref === side.ref)!;
    expect(chosen.result === "confirmed").toBe(now.name === "West");
    await desktop.call("mouse/left-click", { ref: side.ref });
    // Qt says of the options of an open list that they are wider than it
    const option = await desktop.element({ role: "option", name: "East" });
    await desktop.call("mouse/left-click", { ref: option.ref });
    await desktop.element({ role: "combobox", name: "East" });
    const tab = await desktop.element({ role: "tab", name: "Shortcuts" });
    expect(await desktop.act(tab.ref, "click")).toMatchObject({ result: "confirmed" });
    expect(await desktop.act(tab.ref, "click")).toMatchObject({ result: "unverified" });
    await desktop.call("keyboard/key", { key: "escape" });
    await waitFor(async () => !(await desktop.elements()).some(({ role }) => role === "dialog"));
  });

  await t.step(
    "a click that opens a dialog is told, although the program does not respond",
    async () => {
      const open = await desktop.element({ role: "button", name: "Open" });
      const acted = await desktop.act(open.ref, "click");
      const dialog = await desktop.element({ role: "dialog" });
      expect(acted).toMatchObject({ result: "confirmed", by: "program" });
      const cancel = await desktop.element({ role: "button", name: "Cancel" });
      expect((await desktop.act(cancel.ref, "click")).result).toBe("confirmed");
      const isOpen = async () => (await desktop.elements()).some(({ role }) => role === "dialog");
      await waitFor(async () => !await isOpen(), { what: "the dialog to be gone" });
      const again = { ref: cancel.ref, action: "click" };
      const said = await desktop.refused(409, "accessibility/act", again);
      expect(said).toContain("Cancel");
      expect(dialog.name).not.toBe("");
    },
  );
});
