/** Typing much and typing fast: nothing is lost, doubled, swapped or taken for another character. */

import { expect } from "expect";
import { keepCoresBusy } from "../../../support/busy.ts";
import { startDesktop, startRecordedDesktop } from "../../../support/desktop.ts";
import { openXterm } from "../../../support/xterm.ts";

const RUNS = 20;
/** As many as the spare keycodes of the usual layouts hold at once. */
const FOREIGN = 38;
const FIRST_HANZI = 0x4e00;

/** `count` characters that are on no layout, others for each `set`. */
function foreignText(count: number, set = 0): string {
  const points = Array.from({ length: count }, (_, i) => FIRST_HANZI + set * count + i);
  return String.fromCodePoint(...points);
}

const MIXED = "éßäö€ñçøåžščřžýœ漢字かな한글😀🚀e\u0301a\u0308жщ";

Deno.test("typeText() types 38 foreign characters 20 times in a row", async () => {
  await using desktop = await startDesktop();
  await using xterm = await openXterm(desktop.display);
  const text = foreignText(FOREIGN);
  for (let run = 0; run < RUNS; run++) await desktop.service.type(text);
  await xterm.expectNext(text.repeat(RUNS));
});

Deno.test("typeText() types 38 other foreign characters each time, mixed with the layout's", async () => {
  await using desktop = await startDesktop({ layout: ["de"] });
  await using xterm = await openXterm(desktop.display);
  for (let run = 0; run < RUNS; run++) {
    const text = [...foreignText(FOREIGN, run)].map((hanzi, i) => `${hanzi}${i}ä`).join("");
    await desktop.service.type(text);
    await xterm.expectNext(text);
  }
});

Deno.test("typeText() types foreign characters while every core is busy", async () => {
  await using desktop = await startDesktop({ layout: ["fr"] });
  await using xterm = await openXterm(desktop.display);
  await using _busy = keepCoresBusy();
  for (const text of [foreignText(FOREIGN), MIXED]) {
    for (let run = 0; run < RUNS; run++) await desktop.service.type(text);
    await xterm.expectNext(text.repeat(RUNS));
  }
});

Deno.test("typeText() types 300 foreign characters into a program that is idle", async () => {
  await using desktop = await startDesktop({ limits: { keymapSettleMs: 400 } });
  await using xterm = await openXterm(desktop.display);
  const text = foreignText(300);
  await desktop.service.type(text);
  await xterm.expectNext(text);
});

Deno.test("typeText() waits for a slow program that answers pings, however slow it is", async () => {
  await using desktop = await startRecordedDesktop({
    limits: { keymapSettleMs: 0 },
    recorder: { ping: true, slownessMs: 60 },
  });
  const text = foreignText(150);
  await desktop.service.type(text);
  await desktop.recorder.sync();
  expect(desktop.recorder.text).toBe(text);
});

Deno.test("typeText() types 2,000 characters without a delay, 20 times, all in order", async () => {
  await using desktop = await startDesktop();
  await using xterm = await openXterm(desktop.display);
  const words = Array.from({ length: 400 }, (_, i) => `${String(i).padStart(4, "x")}\n`);
  const text = words.join("");
  expect(text.length).toBe(2000);
  for (let run = 0; run < RUNS; run++) {
    await desktop.service.type(text);
    await xterm.expectNext(text);
  }
});

Deno.test("typeText() types the same with every delay and group size", async () => {
  await using desktop = await startDesktop({ layout: ["us", "intl"] });
  await using xterm = await openXterm(desktop.display);
  const text = "Grüße, 'quoted' \"text\" ~^`\n";
  for (const typing_delay of [0, 1, 12]) {
    for (const typing_group_size of [1, 7, 1000]) {
      await desktop.service.type(text, { typing_delay, typing_group_size });
      await xterm.expectNext(text);
    }
  }
});

Deno.test("typeText() presses and releases every key once, and leaves nothing down", async () => {
  await using desktop = await startRecordedDesktop();
  const { recorder, service } = desktop;
  await service.type("aB é漢");
  await recorder.sync();
  const presses = recorder.keyEvents.filter(({ what }) => what === "press").length;
  expect(recorder.text).toBe("aB é漢");
  expect(recorder.keyEvents.length).toBe(2 * presses);
  expect(await recorder.x.keysDown()).toEqual([]);
});

Deno.test("typeText() takes an empty text, and types nothing", async () => {
  await using desktop = await startRecordedDesktop();
  await desktop.service.type("");
  await desktop.recorder.sync();
  expect(desktop.recorder.events).toEqual([]);
});
