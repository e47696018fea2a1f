/** AT-SPI by browsers: places against those of the page, clicks by the events of the page. */

import { expect } from "expect";
import { TOGGLE_PAGE, TOGGLES } from "../../../support/browser/toggles.ts";
import { waitFor } from "../../../support/wait.ts";
import { startAccessibleSession } from "../../../real_programs/support/accessible_session.ts";
import { type Browser, openBrowser } from "../../../real_programs/support/browser.ts";
import type { Element } from "../../../../src/platform/types/mod.ts";
import { type Elements, flatten, NEVER, openElements } from "./support/elements.ts";

const BODY = `<button id="near" style="margin: 40px">Near</button>
<label>Street <input id="street"></label>
<p style="height: 3000px">Tall</p><button id="far">Far away</button>`;

for (const name of ["chromium", "firefox"] as const) {
  Deno.test(`AT-SPI and ${name} agree on places and clicks`, async (test) => {
    await using session = await startAccessibleSession();
    await using elements = await openElements(session.display);
    await using browser = await openBrowser(session.place, name, { body: BODY });
    const near = await elements.find("button", "Near");

    await test.step("an element is where the page has it", async () => {
      await expectMiddle(near, browser, "#near");
      await expectMiddle(await elements.find("textbox", "Street"), browser, "#street");
    });

    await test.step("a click arrives in the page", async () => {
      expect(await elements.port.perform(near.id, { kind: "click" }, NEVER)).toBe(true);
      await browser.waitFor((events) => events.some(({ target }) => target === "near"), {
        type: "click",
      });
    });

    await test.step("what is scrolled away is not shown, but known and scrolled to", async () => {
      expect(flatten((await elements.read()).roots).filter(isFar)).toEqual([]);
      const all = flatten((await elements.read({ hidden: true })).roots);
      const far = all.find(isFar)!;
      expect(far.states).toContain("offscreen");
      expect((await elements.refresh(far))!.states).toContain("offscreen");
      await elements.port.perform(far.id, { kind: "scroll to" }, NEVER);
      const shown = await waitFor(async () => await shownAgain(elements, far), {
        what: "the button",
      });
      await expectMiddle(shown, browser, "#far");
    });

    await test.step("switches and toggle buttons say whether they are on, as in the page", async () => {
      await browser.show({ body: TOGGLE_PAGE });
      for (const { role, name, state } of TOGGLES) {
        const { states } = await elements.find(role, name);
        const told = ["checked", "pressed", "unpressed", "mixed"] as const;
        expect([name, told.find((each) => states.has(each))]).toEqual([name, state]);
      }
    });
  });
}

Deno.test("AT-SPI makes a chromium report its page that was not started to do so", async () => {
  await using session = await startAccessibleSession();
  await using elements = await openElements(session.display);
  await using browser = await openBrowser(
    session.place,
    "chromium",
    { body: BODY },
    { forced: false },
  );
  await expectMiddle(await elements.find("button", "Near"), browser, "#near");
});

function isFar({ name, role }: Element): boolean {
  return role === "button" && name === "Far away";
}

async function shownAgain(elements: Elements, far: Element): Promise<Element | undefined> {
  const now = await elements.refresh(far);
  return now?.states.has("offscreen") ? undefined : now;
}

async function expectMiddle({ bounds }: Element, browser: Browser, selector: string) {
  const { x, y, width, height } = bounds!;
  const point = await browser.pointOf(selector);
  expect(Math.abs(x + width / 2 - point.x)).toBeLessThan(3);
  expect(Math.abs(y + height / 2 - point.y)).toBeLessThan(3);
}
