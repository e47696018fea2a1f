/** What sway tells of changes on its outputs. */

import { expect } from "expect";
import type { Changes } from "../../../../../src/platform/types/mod.ts";
import { testIf } from "../../../../support/test_if.ts";
import { missingFor } from "../../../../support/wayland/desktop.ts";
import { patternAt } from "../../../../support/wayland/pattern.ts";
import { startSway } from "../../../../support/wayland/sway.ts";
import { waitFor } from "../../../../support/wait.ts";

const lacking = missingFor("sway");
const onSway = testIf(lacking === undefined, lacking ?? "");

const MODE = { width: 320, height: 200 };
const OUTPUT = "HEADLESS-1";

onSway(
  "poll() counts nothing while nothing changes, and every change once it is drawn",
  async () => {
    await using sway = await startSway(MODE);
    await sway.showPattern(OUTPUT, MODE);
    const display = await sway.platform.displays.open(1);
    const colour = patternAt(9, 9);
    const shown = `${[colour >> 16, colour >> 8 & 255, colour & 255]}`;
    // another program draws it: until then the screen is still, too
    await waitFor(async () => `${await display.pixel({ x: 9, y: 9 })}` === shown);
    const changes = await display.watch();
    expect(changes.source).toBe("events");
    expect(await display.watch()).toBe(changes);
    let count = await untilStill(changes);
    for (let i = 0; i < 20; i++) expect((await changes.poll()).count).toBe(count);
    expect(changes.since(count)).toEqual([]);
    for (const seed of [1, 2, 3]) {
      const before = await display.pixel({ x: 9, y: 9 });
      await sway.showPattern(OUTPUT, MODE, seed * 50);
      await waitFor(async () => `${await display.pixel({ x: 9, y: 9 })}` !== `${before}`);
      const now = await changes.poll(); // the pixel is drawn, so the change must be counted
      expect(now.count).toBeGreaterThan(count);
      expect(changes.since(count)).toContainEqual({ x: 0, y: 0, ...MODE });
      count = await untilStill(changes);
    }
  },
);

onSway("poll() right after next() counts what was drawn before both", async () => {
  await using sway = await startSway(MODE);
  await sway.showPattern(OUTPUT, MODE);
  const display = await sway.platform.displays.open(1);
  const changes = await display.watch();
  await untilStill(changes);
  for (let round = 0; round < 10; round++) {
    const controller = new AbortController();
    const { count } = await changes.poll();
    const waiting = changes.next(count, controller.signal);
    await sway.showPattern(OUTPUT, MODE, round * 20);
    await waiting; // no frame waits for changes any more
    const at = { x: 9, y: 9 };
    const shown = `${[9 * 7 + round * 20 & 255, 9 * 11, 0]}`;
    await waitFor(async () => `${await display.pixel(at)}` === shown, { what: "the pattern" });
    const before = (await changes.poll()).count;
    await sway.showPattern(OUTPUT, MODE, round * 20 + 10);
    const next = `${[9 * 7 + round * 20 + 10 & 255, 9 * 11, 0]}`;
    await waitFor(async () => `${await display.pixel(at)}` === next, { what: "another pattern" });
    changes.next(before, controller.signal).catch(() => {});
    expect((await changes.poll()).count).toBeGreaterThan(before);
    controller.abort();
  }
});

onSway("next() resolves at a change, and rejects when its signal aborts", async () => {
  await using sway = await startSway(MODE);
  const display = await sway.platform.displays.open(1);
  const changes = await display.watch();
  const count = await untilStill(changes);
  const controller = new AbortController();
  const stopped = expect(changes.next(count, controller.signal)).rejects.toThrow("enough");
  controller.abort(new Error("enough"));
  await stopped;
  await expect(changes.next(count, controller.signal)).rejects.toThrow("enough");
  const waiting = changes.next(count, new AbortController().signal);
  await sway.showPattern(OUTPUT, MODE, 99);
  await waiting;
  await waitFor(async () => (await changes.poll()).count > count);
});

onSway("another resolution and another turn change the size, and everything on it", async () => {
  await using sway = await startSway(MODE);
  const display = await sway.platform.displays.open(1);
  const changes = await display.watch();
  const count = await untilStill(changes);
  const waiting = changes.next(count, new AbortController().signal);
  await sway.tell(`output ${OUTPUT} resolution 400x300`);
  await waiting;
  await waitFor(() => display.size.width === 400, { what: "the new size" });
  const { size } = await changes.poll();
  expect(size).toEqual({ width: 400, height: 300 });
  expect(changes.since(count)).toContainEqual({ x: 0, y: 0, width: 400, height: 300 });
  await display.pixel({ x: 399, y: 299 });
  await sway.tell(`output ${OUTPUT} transform 90`);
  await waitFor(() => display.size.width === 300, { what: "the turned size" });
  expect((await changes.poll()).size).toEqual({ width: 300, height: 400 });
  await display.pixel({ x: 299, y: 399 });
});

onSway("what follows changes ends with the compositor", async () => {
  await using sway = await startSway(MODE);
  const display = await sway.platform.displays.open(1);
  const changes = await display.watch();
  const count = await untilStill(changes);
  const waiting = changes.next(count, new AbortController().signal);
  await sway.desktop.crash();
  await waiting;
  await expect(changes.poll()).rejects.toMatchObject({ code: "unavailable" });
});

/** The count once nothing changes any more. */
async function untilStill(changes: Changes): Promise<number> {
  let last = -1;
  await waitFor(async () => {
    const { count } = await changes.poll();
    const isStill = count === last;
    last = count;
    return isStill;
  }, { what: "a still screen", everyMs: 100 });
  return last;
}
