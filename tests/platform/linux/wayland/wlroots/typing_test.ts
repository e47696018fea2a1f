/** Text typed on sway into real programs of each toolkit: what they have must be what was sent. */

import { expect } from "expect";
import { openWaylandChromium } from "../../../../support/wayland/chromium.ts";
import {
  NEEDED_BY_CLIENTS,
  openTextClient,
  TEXT_CLIENTS,
} from "../../../../support/wayland/clients.ts";
import {
  missingFor,
  startWaylandDesktop,
  type WaylandDesktop,
} from "../../../../support/wayland/desktop.ts";
import { giveToDesktopUser } from "../../../../support/wayland/user.ts";
import { waitFor } from "../../../../support/wait.ts";
import { testIf } from "../../../../support/test_if.ts";
import { openDevices, type TestDevices } from "./devices.ts";

const missing = missingFor("sway", ["chromium", "mousepad", ...NEEDED_BY_CLIENTS]);
const test = testIf(missing === undefined, missing ?? "");

/** Latin with accents, signs, other alphabets, more ideographs than there are spare keys, emoji. */
const POOL = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCodePoint(0x20 + index)),
  ..."äöüßÄÖÜéèñçøåœ€£¥§°µ«»→←∑√∞✅Приветмирαβγδεζאבגד안녕하세요",
  ...Array.from({ length: 160 }, (_, index) => String.fromCodePoint(0x4e00 + 7 * index)),
  ..."😀🚀👍🏽🎉𝒳𠮷",
];

/** `count` characters in one order for ever, with a line break now and then. */
function mixedText(count: number, lineBreak = "\n"): string {
  let seed = 17;
  const next = () => seed = (seed * 1_103_515_245 + 12_345) % 0x8000_0000;
  return Array.from(
    { length: count },
    (_, index) => index % 61 === 60 ? lineBreak : POOL[next() % POOL.length],
  ).join("");
}

test("500 mixed characters reach each toolkit byte for byte", async (context) => {
  await using desktop = await startWaylandDesktop("sway");
  await using devices = await openDevices(desktop);
  for (const name of TEXT_CLIENTS) {
    await context.step(name, async () => {
      await using program = await openTextClient(desktop, name, devices.press);
      const text = mixedText(500, program.isOneLine ? "¶" : "\n");
      await devices.type(text);
      expect(await program.received(text)).toBe(text);
    });
  }
  await context.step("chromium", () => typeIntoChromium(desktop, devices));
});

test("10,000 characters at once reach a GTK 3 program, which survives them", async () => {
  await using desktop = await startWaylandDesktop("sway");
  await using devices = await openDevices(desktop);
  const file = `${desktop.home}/document.txt`;
  await Deno.writeTextFile(file, "");
  await giveToDesktopUser(file);
  await using program = desktop.start("mousepad", ["--disable-server", file]);
  const saved = async () => {
    await devices.key("ctrl", "s");
    return await Deno.readTextFile(file);
  };
  await waitFor(async () => {
    await devices.type("x");
    return (await saved()).includes("x");
  }, { what: "mousepad to take input", everyMs: 100 });
  await devices.key("ctrl", "a");
  const text = mixedText(10_000);
  await devices.type(text);
  await waitFor(async () => (await saved()).trimEnd() === text.trimEnd(), { everyMs: 200 })
    .catch(() => {}); // the comparison says more than a time limit
  expect(program.running()).toBe(true);
  expect((await Deno.readTextFile(file)).trimEnd()).toBe(text.trimEnd());
});

async function typeIntoChromium(desktop: WaylandDesktop, devices: TestDevices): Promise<void> {
  const page = { body: "<textarea id='field' autofocus></textarea>" };
  await using browser = await openWaylandChromium(desktop, page);
  const text = mixedText(500);
  await devices.type(text);
  await browser.expectValue("#field", text);
}
