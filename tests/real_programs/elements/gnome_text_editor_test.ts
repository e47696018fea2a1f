/** GNOME's text editor (GTK 4) by its elements, proved by the file that it saves. */

import { expect } from "expect";
import { waitFor } from "../../support/wait.ts";
import { openEditor } from "../support/editor.ts";
import { openElementDesktop } from "./support/element_desktop.ts";
import { expectAtColour } from "./support/expect_at_colour.ts";

const TEXT = { role: "textbox", minHeight: 100 };

Deno.test("GNOME's text editor by its elements", async (t) => {
  await using desktop = await openElementDesktop();
  const colour = "#12ab34";
  const editor = await openEditor(desktop.session.place, "gnome-text-editor", {
    background: colour,
  });
  await using _editor = editor;

  await t.step("the text is where it shows, also after the window has moved", async () => {
    await expectAtColour(desktop, { window: editor.window, colour, wanted: TEXT });
  });

  await t.step("set_value replaces the text of the file", async () => {
    const { ref } = await desktop.element(TEXT);
    const acted = await desktop.act(ref, "set_value", { value: "äöü 中文\nline 2" });
    expect(acted.result).toBe("confirmed");
    expect(await editor.savedText()).toBe("äöü 中文\nline 2");
  });

  await t.step("what is in a popover, also beyond its window, is clicked by its ref", async () => {
    const buttons = await desktop.elements();
    const menu = buttons.findLast(({ role, name }) => role === "button" && name === "Menu")!;
    await desktop.call("mouse/left-click", { ref: menu.ref });
    const zoom = await desktop.element({ role: "button", name: "Zoom in" });
    await desktop.element({ role: "text", name: "100%" });
    await desktop.call("mouse/left-click", { ref: zoom.ref });
    await desktop.element({ role: "text", name: /^1[01]\d%$/ });
    const about = await desktop.element({ role: "menuitem", name: /^About/ });
    await desktop.call("mouse/left-click", { ref: about.ref });
    await desktop.element({ role: "window", name: "About" });
    await desktop.call("keyboard/key", { key: "Escape" });
    await waitFor(async () => !(await desktop.elements()).some(({ name }) => name === "About"), {
      what: "the dialog to close",
    });
  });

  await t.step("the dialog for files is shown and filled in, and saves", async () => {
    await desktop.call("keyboard/key", { key: "ctrl+shift+s" });
    const name = await desktop.element({ role: "textbox", name: "Name:" });
    const path = `${desktop.session.home.path}/saved as.txt`;
    expect(await desktop.act(name.ref, "set_value", { value: path })).toMatchObject({
      result: "confirmed",
    });
    const save = await desktop.element({ role: "button", name: /Save$/ });
    await desktop.act(save.ref, "click");
    await waitFor(async () => await Deno.readTextFile(path).catch(() => "") !== "", {
      what: "the file",
    });
    expect(await Deno.readTextFile(path)).toBe("äöü 中文\nline 2\n");
  });
});
