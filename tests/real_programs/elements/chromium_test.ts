/** Pages in Chromium by their elements, proved by what the page has and by its log of events. */

import { expect } from "expect";
import { pick } from "../../support/extent.ts";
import { waitFor } from "../../support/wait.ts";
import { openBrowser } from "../support/browser.ts";
import { openZenityForm } from "../support/zenity.ts";
import { openElementDesktop } from "./support/element_desktop.ts";
import { expectAtColour } from "./support/expect_at_colour.ts";
import { fillForm, readRefs } from "./support/fill_form.ts";
import {
  COLOURED_PAGE,
  FORM_VALUES,
  formPage,
  LARGE_PAGE_ELEMENTS,
  largePage,
  PAGE_COLOUR,
  valuesOf,
} from "./support/pages.ts";

const ROUNDS = pick({ short: 2, full: 50 });

/** The middle of each button is below the edge of its box; of the fifth option only the upper part is visible. */
const BOXES = `<div style="height: 100px; overflow: auto; border: 1px solid">
  <div style="height: 90px">First</div><button id="Below" style="height: 60px">Below</button>
  <div style="height: 500px"></div><button id="Far below">Far below</button>
</div>
<div style="height: 100px; overflow: hidden auto"><div style="height: 80px"></div>
  <div style="height: 50px; overflow: auto"><p style="height: 30px"></p>
    <button id="Nested" style="height: 50px">Nested</button></div></div>
<select multiple style="height: 74px; line-height: 16px; padding: 0">${
  Array.from({ length: 12 }, (_, at) => `<option>Option ${at}</option>`).join("")
}</select>`;

/** The second menu is inside the first one, and beside it. */
const MENUS = `<ul role=menu style="position: relative; width: 80px; margin: 40px; padding: 0">
  <li role=menuitem>File</li><li role=none><ul role=menu
    style="position: absolute; left: 100px; top: 0; width: 80px; padding: 0">
    <li role=menuitem id="Beside" style="list-style: none">Beside</li></ul></li></ul>`;

Deno.test("Chromium by its elements", async (t) => {
  await using desktop = await openElementDesktop();
  await using browser = await openBrowser(desktop.session.place, "chromium", {
    body: COLOURED_PAGE,
  });

  await t.step("a button is where it shows, also after the window has moved", async () => {
    const wanted = { role: "button", name: "Coloured" };
    await expectAtColour(desktop, { window: browser.window, colour: PAGE_COLOUR, wanted });
  });

  await t.step("a click by its ref is the page's click", async () => {
    const { ref } = await desktop.element({ role: "button", name: "Coloured" });
    for (
      const [operation, body] of [
        ["accessibility/act", { ref, action: "click" }],
        ["accessibility/act", { ref, action: "click", method: "input" }],
        ["mouse/left-click", { ref }],
      ] as const
    ) {
      browser.clear();
      await desktop.call(operation, body);
      const clicks = await browser.waitFor((events) => events.length > 0, { type: "click" });
      expect(clicks.map(({ target }) => target)).toEqual(["coloured"]);
    }
  });

  await t.step("a covered button says by what, and gets no click", async () => {
    const { ref } = await desktop.element({ role: "button", name: "Coloured" });
    browser.clear();
    {
      await using form = await openZenityForm(desktop.session.place, "In front");
      const { x, y } = await browser.window.rectangle();
      await form.window.moveTo(x + 100, y + 50);
      expect(await desktop.refused(409, "mouse/left-click", { ref })).toContain("In front");
    }
    // the X server and the window manager take note of its end late
    await waitFor(() => desktop.call("mouse/move", { ref }).then(() => true), {
      what: "the window in front to be gone",
    });
    await desktop.call("mouse/left-click", { ref });
    await browser.waitFor((events) => events.length > 0, { type: "click" });
    expect(browser.events("click")).toHaveLength(1);
  });

  await t.step(
    "what an inner box shows only in part is scrolled into it, and clicked",
    async () => {
      await browser.show({ body: BOXES });
      for (const name of ["Below", "Far below", "Nested"]) {
        const { ref } = await desktop.element({ role: "button", name }, { include_hidden: true });
        browser.clear();
        await desktop.call("mouse/left-click", { ref });
        const clicks = await browser.waitFor((events) => events.length > 0, { type: "click" });
        expect(clicks.map(({ target }) => target)).toEqual([name]);
      }
      const { ref } = await desktop.element({ role: "option", name: "Option 4" }, {
        include_hidden: true,
      });
      await desktop.call("mouse/left-click", { ref });
      await waitFor(
        () => browser.evaluate("document.querySelector('select').selectedIndex === 4"),
        {
          what: "the option to be selected",
        },
      );
    },
  );

  await t.step("an item of a menu beside the one that it is in is clicked", async () => {
    await browser.show({ body: MENUS });
    const { ref } = await desktop.element({ role: "menuitem", name: "Beside" });
    browser.clear();
    await desktop.call("mouse/left-click", { ref });
    const clicks = await browser.waitFor((events) => events.length > 0, { type: "click" });
    expect(clicks.map(({ target }) => target)).toEqual(["Beside"]);
  });

  await t.step(`a form of 12 fields is filled by refs alone, ${ROUNDS} times`, async () => {
    await browser.show({ body: formPage() });
    const refs = await readRefs(desktop);
    const wrong: unknown[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const acted = await fillForm(desktop, refs, round);
      const values = await browser.evaluate<Record<string, string>>(FORM_VALUES);
      for (const [id, value] of Object.entries(valuesOf(round))) {
        if (values[id] !== value) wrong.push({ round, id, value, is: values[id], said: acted[id] });
      }
    }
    expect(wrong).toEqual([]);
  });

  await t.step("a page of 2,000 elements is told, and its last element scrolled to", async () => {
    await browser.window.moveTo(20, 40); // all of it on the screen
    await browser.show({ body: largePage() });
    await desktop.element({ role: "button", name: "Buy 399" }, { include_hidden: true });
    const all = await desktop.elements({ include_hidden: true });
    const told = all.filter(({ name }) => /^(Article|Details|Buy|Gift|Note) \d+$/.test(name));
    expect(told.length).toBeGreaterThanOrEqual(LARGE_PAGE_ELEMENTS);
    const last = all.find(({ role, name }) => role === "button" && name === "Buy 399")!;
    browser.clear();
    await desktop.call("mouse/left-click", { ref: last.ref });
    const clicks = await browser.waitFor((events) => events.length > 0, { type: "click" });
    expect(clicks.map(({ target }) => target)).toEqual(["buy399"]);
  });

  await t.step("refs of a page that was left are refused", async () => {
    const { ref } = await desktop.element({ role: "button", name: "Buy 399" });
    await browser.show({ body: COLOURED_PAGE });
    await desktop.element({ role: "button", name: "Coloured" });
    for (const operation of ["mouse/left-click", "accessibility/act"]) {
      await desktop.refused(409, operation, {
        ref,
        ...(operation.endsWith("act") ? { action: "click" } : {}),
      });
    }
    expect(browser.events("click")).toEqual([]);
  });
});
