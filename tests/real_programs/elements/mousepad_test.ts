/** mousepad (GTK 3) by its elements: its text, its menus and a dialog, proved by the file that it saves. */

import { expect } from "expect";
import { waitFor } from "../../support/wait.ts";
import { pick } from "../../support/extent.ts";
import { openEditor } from "../support/editor.ts";
import { xdotool } from "../support/xwindow.ts";
import { openZenityForm } from "../support/zenity.ts";
import { type ElementNode, openElementDesktop } from "./support/element_desktop.ts";
import { expectAtColour } from "./support/expect_at_colour.ts";

const ROUNDS = pick({ short: 5, full: 50 });
const isChooser = ({ role }: ElementNode) => role === "file-chooser";
const TEXT = { role: "textbox", minHeight: 100 };

Deno.test("mousepad by its elements", async (t) => {
  await using desktop = await openElementDesktop();
  const colour = "#12ab34";
  await using mousepad = await openEditor(desktop.session.place, "mousepad", {
    background: colour,
  });

  await t.step("the text is where it shows, also after the window has moved", async () => {
    await expectAtColour(desktop, { window: mousepad.window, colour, wanted: TEXT });
  });

  await t.step("set_value replaces the text of the file", async () => {
    const { ref } = await desktop.element(TEXT);
    const acted = await desktop.act(ref, "set_value", { value: "äöü 中文\nline 2" });
    expect(acted).toMatchObject({ result: "confirmed", by: "program" });
    expect(await mousepad.savedText()).toBe("äöü 中文\nline 2");
  });

  await t.step("menu chooses an item", async () => {
    const { ref } = await desktop.element(TEXT);
    await desktop.act(ref, "set_value", { value: "to be gone" });
    await desktop.call("accessibility/act", { action: "menu", menu_path: ["Edit", "Select All"] });
    await desktop.call("keyboard/key", { key: "delete" });
    await waitFor(async () => (await desktop.element(TEXT)).value === undefined, {
      what: "the text to be gone",
    });
    await desktop.call("accessibility/act", { action: "menu", menu_path: ["Edit", "Undo"] });
    expect(await mousepad.savedText()).toBe("to be gone");
  });

  await t.step(`the dialog Find and Replace, filled ${ROUNDS} times`, async () => {
    const text = await desktop.element(TEXT);
    await desktop.act(text.ref, "set_value", { value: "word 0 stays" });
    await desktop.call("accessibility/act", {
      action: "menu",
      menu_path: ["Search", "Find and Replace..."],
    });
    const find = await desktop.element({ role: "button", name: "Find" });
    const dialog = await desktop.elements();
    const replace = dialog.find(({ role, name }) => role === "button" && name === "Replace")!;
    const fields = dialog.filter(({ role, bounds }) => role === "textbox" && bounds!.height < 100);
    expect(fields).toHaveLength(2);
    const wrong: string[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const [before, after] = [`word ${round - 1} `, `word ${round} `];
      for (const [field, value] of [[fields[0]!, before], [fields[1]!, after]] as const) {
        const acted = await desktop.act(field.ref, "set_value", { value });
        if (acted.result !== "confirmed") wrong.push(`${round}: ${acted.reason}`);
      }
      await desktop.act(find.ref, "click");
      await desktop.act(replace.ref, "click");
      const want = `${after}stays`;
      const value = async () =>
        (await desktop.call<{ value: string }>("accessibility/value", { ref: text.ref })).value;
      await waitFor(async () => await value() === want)
        .catch(async () => wrong.push(`${round}: ${await value()}`));
    }
    expect(wrong).toEqual([]);
    const close = await desktop.element({ role: "button", name: "Close" });
    await desktop.act(close.ref, "click");
    await waitFor(async () => !(await desktop.elements()).some(({ role }) => role === "dialog"));
    expect(await mousepad.savedText()).toBe(`word ${ROUNDS} stays`);
    expect(await desktop.refused(409, "accessibility/act", { ref: close.ref, action: "click" }))
      .toContain("Close");
  });

  await t.step("a number that the program does not take over is not confirmed", async () => {
    const preferences = { action: "menu", menu_path: ["Edit", "Preferences..."] };
    await desktop.call("accessibility/act", preferences);
    const margin = await desktop.element({ role: "checkbox", name: "Long line margin at column:" });
    expect(await desktop.act(margin.ref, "select")).toMatchObject({ result: "confirmed" });
    const column = await desktop.element({ role: "spinbutton" });
    const set = (value: string) => desktop.act(column.ref, "set_value", { value });
    expect(await set("72")).toMatchObject({ result: "confirmed", by: "program", value: "72" });
    expect(await set("70000")).toMatchObject({ result: "unverified", value: "9999" });
    await desktop.call("mouse/left-click", { ref: column.ref });
    expect((await desktop.element({ role: "spinbutton" })).value).toBe("9999");
    await desktop.call("keyboard/key", { key: "escape" });
    await waitFor(async () => !(await desktop.elements()).some(({ role }) => role === "dialog"));
  });

  await t.step("what an open menu covers gets no click, and the items of the menu do", async () => {
    const { ref } = await desktop.element(TEXT);
    await desktop.act(ref, "set_value", { value: "stays" });
    // so far out to the right that the menu is wider than what shows of the text
    const [width] = (await xdotool(desktop.display, ["getdisplaygeometry"])).split(" ").map(Number);
    const { x, y } = await mousepad.window.rectangle();
    await mousepad.window.moveTo(width! - 250, y);
    await waitFor(async () => (await desktop.element(TEXT)).bounds!.x >= width! - 250);
    const file = await desktop.element({ role: "menu", name: "File" });
    await desktop.call("mouse/left-click", { ref: file.ref });
    const item = await desktop.element({ role: "menuitem", name: "Save" });
    const window = await desktop.element({ role: "window", name: /Mousepad$/ });
    for (const covered of [window.ref, ref]) {
      const said = await desktop.refused(409, "mouse/left-click", { ref: covered });
      expect(said).toContain("is covered by an open menu");
    }
    await desktop.call("mouse/left-click", { ref: item.ref });
    expect(await mousepad.savedText()).toBe("stays");
    await mousepad.window.moveTo(x, y);
  });

  await t.step("a covered element says by what, and gets no click", async () => {
    const { ref } = await desktop.element({ role: "menu", name: "File" });
    await using form = await openZenityForm(desktop.session.place, "In front");
    const { x, y } = await mousepad.window.rectangle();
    await form.window.moveTo(x - 20, y - 60);
    const said = await desktop.refused(409, "mouse/left-click", { ref });
    expect(said).toContain("In front");
  });

  await t.step("a dialog that waits for its answer tells its elements, and saves", async () => {
    const { ref } = await desktop.element(TEXT);
    await desktop.act(ref, "set_value", { value: "saved as" });
    const saveAs = { action: "menu", menu_path: ["File", "Save As"] };
    const acted = await desktop.call("accessibility/act", saveAs);
    expect(acted).toMatchObject({ result: "confirmed", by: "input" });
    const cancel = await desktop.element({ role: "button", name: "Cancel" });
    await desktop.act(cancel.ref, "click");
    await waitFor(async () => !(await desktop.elements()).some(isChooser), { what: "the end" });
    await desktop.call("accessibility/act", saveAs);
    const name = await desktop.element({ role: "textbox", name: "Name:" });
    const path = `${desktop.session.home.path}/saved as.txt`;
    await desktop.act(name.ref, "set_value", { value: path });
    const save = await waitFor(async () => {
      const button = await desktop.element({ role: "button", name: "Save" });
      return !button.states.includes("disabled") && button;
    }, { what: "the button to be enabled" });
    await desktop.act(save.ref, "click");
    await waitFor(async () => await Deno.readTextFile(path).catch(() => "") === "saved as", {
      what: "the file",
    });
  });
});
