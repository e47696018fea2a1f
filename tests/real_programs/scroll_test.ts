/** Every notch of the wheel counts: the same scroll ends at the same place. */

import { expect } from "expect";
import { waitFor } from "../support/wait.ts";
import { pick } from "../support/extent.ts";
import { openDesktop } from "./support/desktop.ts";

const TIMES = pick({ short: 4, full: 50 });
const NOTCHES = 20;
const LONG = `<div style="height: 20000px; background: linear-gradient(red, blue)"></div>`;

for (const name of ["chromium", "firefox"] as const) {
  Deno.test(`${name} scrolls as far for ${NOTCHES} notches at once as one by one`, async () => {
    await using desktop = await openDesktop();
    const browser = await desktop[name]({ body: LONG });
    const middle = await browser.window.middle();
    const restart = async () => {
      await browser.evaluate(`new Promise((resolve) => {
        scrollTo({ top: 0, behavior: "instant" });
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
      })`);
      browser.clear();
    };
    const turned = () => browser.events("wheel").reduce((sum, { deltaY }) => sum + deltaY!, 0);
    const top = () => browser.evaluate<number>("Math.round(scrollY)");
    await desktop.call("mouse/scroll", { clicks: -1, ...middle });
    await browser.waitFor((events) => events.length > 0, { type: "wheel" });
    const notch = turned();
    await waitFor(async () => await top() === notch, { what: "the end of the first notch" });
    for (let i = 0; i < TIMES; i++) {
      await restart();
      await desktop.call("mouse/scroll", { clicks: -NOTCHES, ...middle });
      await waitFor(() => turned() >= NOTCHES * notch, { what: "the wheel" });
      await waitFor(async () => await top() === NOTCHES * notch, {
        what: "the end of the scrolling",
      }).catch(async () => expect(await top()).toBe(NOTCHES * notch));
    }
  });
}
