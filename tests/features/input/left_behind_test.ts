/** The mouse after a click that a window manager holds back: the click stays where it was made. */

import { expect } from "expect";
import { holdClicks } from "../../support/click_holder.ts";
import { startRecordedDesktop } from "../../support/desktop.ts";
import { TestX } from "../../support/x_client.ts";

const CLICK = [
  { what: "button down", detail: 1, x: 50, y: 50 },
  { what: "button up", detail: 1, x: 50, y: 50 },
];
const THERE = { x: 150, y: 120 };
const DOWN = { what: "button down", detail: 1, ...THERE };
const UP = { what: "button up", detail: 1, ...THERE };

/** What each operation does at a place of its own, and what the window gets of it. */
const OPERATIONS: readonly [string, Record<string, unknown>, readonly unknown[]][] = [
  ["move", THERE, []],
  ["move", { ...THERE, duration_ms: 20 }, []],
  ["left-click", THERE, [DOWN, UP]],
  ["double-click", THERE, [DOWN, UP, DOWN, UP]],
  ["scroll", { ...THERE, clicks: 1 }, [{ ...DOWN, detail: 4 }, { ...UP, detail: 4 }]],
  ["down", THERE, [DOWN]],
  ["drag", { x: 200, y: 160, from: THERE, duration_ms: 0 }, [DOWN, { ...UP, x: 200, y: 160 }]],
];

for (const [operation, body, expected] of OPERATIONS) {
  Deno.test(`${operation} ${JSON.stringify(body)} leaves a click that is held back where it was made`, async () => {
    await using desktop = await startRecordedDesktop();
    const { service, recorder } = desktop;
    using clicks = await holdClicks(desktop.display);
    await service.call("/api/mouse/left-click", { x: 50, y: 50 });
    const answered = service.call(`/api/mouse/${operation}`, body);
    await looks(desktop.display);
    await clicks.release();
    await answered;
    // each press that the operation makes is held back again
    for (let i = 0; i < expected.length; i++) await clicks.release();
    await recorder.sync();
    expect(recorder.buttonEvents).toMatchObject([...CLICK, ...expected]);
  });
}

Deno.test("a move after `up` leaves its click where it was made, also where keys came after `down`", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  using clicks = await holdClicks(desktop.display);
  await service.call("/api/mouse/down", { x: 50, y: 50 });
  await service.call("/api/keyboard/key", { key: "a" });
  await service.call("/api/mouse/up", {});
  const answered = service.call("/api/mouse/move", THERE);
  await looks(desktop.display);
  await clicks.release();
  await answered;
  await recorder.sync();
  expect(recorder.buttonEvents).toMatchObject(CLICK);
});

Deno.test("a drag from where the cursor is waits for the click before it", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  using clicks = await holdClicks(desktop.display);
  await service.call("/api/mouse/left-click", { x: 50, y: 50 });
  const answered = service.call("/api/mouse/drag", { ...THERE, duration_ms: 0 });
  await looks(desktop.display);
  await clicks.release();
  await answered;
  await clicks.release();
  await recorder.sync();
  expect(recorder.buttonEvents).toMatchObject([...CLICK, CLICK[0], UP]);
});

Deno.test("clicks at one place do not wait for each other", async () => {
  await using desktop = await startRecordedDesktop({ limits: { focusWaitMs: 60_000 } });
  const { service, recorder } = desktop;
  using clicks = await holdClicks(desktop.display);
  for (let i = 0; i < 3; i++) await service.call("/api/mouse/left-click", { x: 50, y: 50 });
  for (let i = 0; i < 3; i++) await clicks.release();
  await recorder.sync();
  expect(recorder.buttonEvents).toMatchObject([...CLICK, ...CLICK, ...CLICK]);
});

Deno.test("the mouse leaves no click behind that is never delivered, until release-all", async () => {
  await using desktop = await startRecordedDesktop({ limits: { focusWaitMs: 200 } });
  const { service, recorder } = desktop;
  using clicks = await holdClicks(desktop.display);
  await service.call("/api/mouse/left-click", { x: 50, y: 50 });
  for (const operation of ["move", "left-click", "down"]) {
    const detail = await service.refused(409, `/api/mouse/${operation}`, THERE);
    expect(detail).toContain("the previous click was not delivered within 200 ms");
  }
  await service.call("/api/system/release-all", {});
  await service.call("/api/mouse/move", THERE);
  await clicks.release();
  await recorder.sync();
  expect(recorder.buttonEvents.length).toBe(2);
  expect(await recorder.x.buttonsDown()).toBe(0);
});

/** Gives the service time for a few looks at the display; nothing depends on how many there are. */
async function looks(display: string): Promise<void> {
  using x = await TestX.open(display);
  for (let i = 0; i < 10; i++) await x.pointer();
}
