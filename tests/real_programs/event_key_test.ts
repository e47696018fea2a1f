/** What web pages are told of keys on spare keycodes. */

import { expect } from "expect";
import { pick } from "../support/extent.ts";
import { openDesktop } from "./support/desktop.ts";

const COUNT = pick({ short: 100, full: 400 });
const FOREIGN = Array.from({ length: COUNT }, (_, i) => String.fromCodePoint(0x4e00 + 7 * i));
const LATIN = [..."äöüßØøñéžőαβж€"];

for (const name of ["chromium", "firefox"] as const) {
  Deno.test(`event.key is right in ${name} for ${COUNT} foreign characters in a row`, async () => {
    await using desktop = await openDesktop();
    const browser = await desktop[name]();
    const ours = ["F8", "Shift"]; // caughtUp(), and the second character of a keycode
    const keys = () =>
      browser.events("keydown").map(({ key }) => key!).filter((key) => !ours.includes(key));
    await desktop.type(FOREIGN.join(""));
    await browser.expectValue("#text", FOREIGN.join(""));
    expect(keys()).toEqual(FOREIGN);
    browser.clear();
    for (const character of LATIN) await desktop.type(character); // each a text of its own
    await browser.caughtUp();
    expect(keys()).toEqual(LATIN);
    browser.clear();
    for (const key of ["kp_4", "kp_5", "漢"]) await desktop.call("keyboard/key", { key });
    await browser.caughtUp();
    expect(keys()).toEqual(["4", "5", "漢"]);
  });
}
