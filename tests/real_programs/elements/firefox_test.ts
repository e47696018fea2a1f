/** Pages in Firefox by their elements, proved by what the page has and by its log of events. */

import { expect } from "expect";
import { waitFor } from "../../support/wait.ts";
import { openBrowser } from "../support/browser.ts";
import { openElementDesktop } from "./support/element_desktop.ts";
import { expectAtColour } from "./support/expect_at_colour.ts";
import { fillForm, readRefs } from "./support/fill_form.ts";
import { COLOURED_PAGE, FORM_VALUES, formPage, PAGE_COLOUR, valuesOf } from "./support/pages.ts";

Deno.test("Firefox by its elements", async (t) => {
  await using desktop = await openElementDesktop();
  await using browser = await openBrowser(desktop.session.place, "firefox", {
    body: COLOURED_PAGE,
  });

  await t.step("a button is where it shows, also after the window has moved", async () => {
    const wanted = { role: "button", name: "Coloured" };
    await expectAtColour(desktop, { window: browser.window, colour: PAGE_COLOUR, wanted });
  });

  await t.step("a click by its ref is the page's click", async () => {
    const { ref } = await desktop.element({ role: "button", name: "Coloured" });
    browser.clear();
    await desktop.act(ref, "click");
    const clicks = await browser.waitFor((events) => events.length > 0, { type: "click" });
    expect(clicks.map(({ target }) => target)).toEqual(["coloured"]);
  });

  await t.step("a text that Firefox says it has set, and has not, is unverified", async () => {
    await browser.show({ body: `<label>Name <input id="name" value="before"></label>` });
    const { ref } = await desktop.element({ role: "textbox", name: "Name" });
    const acted = await desktop.act(ref, "set_value", { value: "after", method: "program" });
    expect([acted.result, await browser.evaluate("document.getElementById('name').value")])
      .toEqual(["unverified", "before"]);
    const typed = await desktop.act(ref, "set_value", { value: "after" });
    expect(typed).toMatchObject({ result: "confirmed", by: "input", value: "after" });
    expect(await browser.evaluate("document.getElementById('name').value")).toBe("after");
  });

  await t.step("a form of 12 fields is filled by refs alone", async () => {
    await browser.show({ body: formPage() });
    const refs = await readRefs(desktop);
    await fillForm(desktop, refs, 1);
    expect(await browser.evaluate(FORM_VALUES)).toEqual(valuesOf(1));
  });

  await t.step("a panel is clicked by refs, and what lies beneath it is not", async () => {
    await browser.show({ body: UNDER_PANEL });
    const under = await desktop.element({ role: "button", name: "Under" });
    const panel = await desktop.element({ role: "button", name: "Firefox" });
    await desktop.call("mouse/left-click", { ref: panel.ref });
    const zoom = await desktop.element({ role: "button", name: "Zoom In" });
    const move = () => desktop.refused(409, "mouse/move", { ref: under.ref }).catch(() => "");
    await waitFor(async () => (await move()).includes("popup"), { what: "the panel to show" });
    expect(await desktop.refused(409, "mouse/left-click", { ref: under.ref })).toContain("popup");
    await desktop.call("mouse/left-click", { ref: zoom.ref });
    await waitFor(async () => await browser.evaluate<number>("devicePixelRatio") > 1, {
      what: "the page to be larger",
    });
    expect(browser.events("click")).toEqual([]);
    await desktop.call("keyboard/key", { key: "Escape" });
    // the panel closes late, and Firefox tells late where things are in the larger page
    await waitFor(async () => {
      const { bounds } = await desktop.element({ role: "button", name: "Under" });
      expect(bounds).not.toEqual(under.bounds);
      await desktop.call("mouse/move", { ref: under.ref });
      return true;
    }, { what: "the panel to be gone" });
    await desktop.call("mouse/left-click", { ref: under.ref });
    const clicks = await browser.waitFor((events) => events.length > 0, { type: "click" });
    expect(clicks.map(({ target }) => target)).toEqual(["under"]);
  });
});

/** The menu of the program opens above its button. */
const UNDER_PANEL =
  `<button id="under" style="position: absolute; right: 80px; top: 150px">Under</button>`;
