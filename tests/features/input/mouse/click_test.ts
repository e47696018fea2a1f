/** Clicks, as they arrive at a window and as a toolkit counts them. */

import { expect } from "expect";
import { openClickCounter } from "../../../support/click_counter.ts";
import { startDesktop, startRecordedDesktop } from "../../../support/desktop.ts";
import { TestX } from "../../../support/x_client.ts";

const SHIFT = 1;
const CONTROL = 4;
const BUTTONS = 0x1f00;

Deno.test("click() presses and releases the right button at the cursor", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.call("/api/mouse/move", { x: 33, y: 44 });
  for (const [name, button] of [["left", 1], ["middle", 2], ["right", 3]] as const) {
    await recorder.sync();
    recorder.clear();
    expect(await service.call(`/api/mouse/${name}-click`, {})).toBe(undefined);
    await recorder.sync();
    expect(recorder.events).toMatchObject([
      { what: "button down", detail: button, x: 33, y: 44, state: 0 },
      { what: "button up", detail: button, x: 33, y: 44 },
    ]);
  }
});

Deno.test("mouse/click clicks with the button that is named, as often as is said", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.call("/api/mouse/click", { x: 120, y: 90 });
  await service.call("/api/mouse/click", { x: 20, y: 30, button: "right", modifiers: ["ctrl"] });
  await service.call("/api/mouse/click", { button: "middle", click_count: 3 });
  await recorder.sync();
  const pressed = recorder.events.filter(({ what }) => what === "button down");
  expect(pressed).toMatchObject([
    { detail: 1, x: 120, y: 90, state: 0 },
    { detail: 3, x: 20, y: 30, state: CONTROL },
    ...Array(3).fill({ detail: 2, x: 20, y: 30, state: 0 }),
  ]);
});

Deno.test("click() moves to the point first", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.call("/api/mouse/right-click", { x: 120, y: 90 });
  await recorder.sync();
  expect(recorder.events.filter(({ what }) => what !== "motion")).toMatchObject([
    { what: "button down", detail: 3, x: 120, y: 90 },
    { what: "button up", detail: 3, x: 120, y: 90 },
  ]);
  expect(await service.call("/api/mouse/position")).toEqual({ x: 120, y: 90 });
});

Deno.test("click() holds the modifiers, and only then", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const modifiers = ["ctrl", "Shift"];
  await service.call("/api/mouse/left-click", { x: 5, y: 5, modifiers });
  await service.call("/api/mouse/double-click", { x: 5, y: 5, modifiers: ["ctrl"] });
  await service.call("/api/mouse/middle-click", {});
  await recorder.sync();
  const states = recorder.buttonEvents.map(({ state }) => state & ~BUTTONS);
  const both = CONTROL | SHIFT;
  expect(states).toEqual([both, both, CONTROL, CONTROL, CONTROL, CONTROL, 0, 0]);
  expect(await recorder.x.keysDown()).toEqual([]);
});

Deno.test("click() refuses a point off the screen, half a point and unknown modifiers, and does nothing", async () => {
  await using desktop = await startRecordedDesktop({ server: { size: "640x480" } });
  const { service, recorder } = desktop;
  await service.call("/api/mouse/move", { x: 7, y: 8 });
  await recorder.sync();
  recorder.clear();
  const bad: [Record<string, unknown>, string, string][] = [
    [{ x: 640, y: 0 }, '"loc":["body","x"]', "640x480"],
    [{ x: 0, y: 480 }, '"loc":["body","y"]', "640x480"],
    [{ x: -1, y: 0 }, '"loc":["body","x"]', "-1"],
    [{ x: 10 }, '"loc":["body","y"]', "y"],
    [{ y: 10 }, '"loc":["body","x"]', "x"],
    [{ x: 10, y: 10, modifiers: ["ctlr"] }, '"loc":["body","modifiers",0]', "ctrl"],
  ];
  const clicks = ["left-click", "right-click", "middle-click", "double-click", "triple-click"];
  for (const click of clicks) {
    for (const [body, loc, words] of bad) {
      const detail = await service.refused(422, `/api/mouse/${click}`, body);
      expect(detail).toContain(loc);
      expect(detail).toContain(words);
    }
  }
  for (const click_count of [0, 4, -1, 1.5, "2", null]) {
    const body = { x: 10, y: 10, click_count };
    expect(await service.refused(422, "/api/mouse/left-click", body))
      .toContain('"loc":["body","click_count"]');
  }
  await recorder.sync();
  expect(recorder.events).toEqual([]);
  expect(await service.call("/api/mouse/position")).toEqual({ x: 7, y: 8 });
});

const COUNTED: [string, Record<string, unknown>, number, number][] = [
  ["double-click", {}, 1, 2],
  ["triple-click", {}, 1, 3],
  ["left-click", { click_count: 2 }, 1, 2],
  ["right-click", { click_count: 3 }, 3, 3],
  ["middle-click", { click_count: 1 }, 2, 1],
];

for (const [path, body, button, count] of COUNTED) {
  Deno.test(`${path} ${JSON.stringify(body)} is ${count} presses at one place, with no motion between`, async () => {
    await using desktop = await startRecordedDesktop();
    const { service, recorder } = desktop;
    await service.call(`/api/mouse/${path}`, { x: 60, y: 70, ...body });
    await recorder.sync();
    const from = recorder.events.findIndex(({ what }) => what === "button down");
    expect(recorder.events.slice(from)).toMatchObject(
      Array.from({ length: count }, () => [
        { what: "button down", detail: button },
        { what: "button up", detail: button },
      ]).flat(),
    );
  });
}

Deno.test("clicks at one place never share the time stamp of their presses", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const at = { x: 60, y: 70 };
  await Promise.all([
    service.call("/api/mouse/left-click", at),
    service.call("/api/mouse/left-click", at),
    service.call("/api/mouse/left-click", {}),
  ]);
  for (let i = 0; i < 20; i++) await service.call("/api/mouse/left-click", at);
  await service.call("/api/mouse/triple-click", at);
  await recorder.sync();
  const times = recorder.buttonEvents
    .filter(({ what }) => what === "button down").map(({ time }) => time);
  expect(times.length).toBe(26);
  expect(new Set(times).size).toBe(26);
});

Deno.test("doubleClick() is exactly one double click for a toolkit, whatever came before", async () => {
  await using desktop = await startDesktop();
  await using counter = await openClickCounter(desktop.display);
  using x = await TestX.open(desktop.display);
  const { service } = desktop;
  const end = () => service.call("/api/mouse/right-click", { x: 50, y: 50 });
  const double = () => service.call("/api/mouse/double-click", { x: 50, y: 50 });
  const single = () => service.call("/api/mouse/left-click", { x: 50, y: 50 });

  expect(await counter.counted(() => double().then(end))).toEqual(["single", "double"]);
  for (let i = 0; i < 5; i++) {
    expect(await counter.counted(() => single().then(double).then(end)))
      .toEqual(["single", "single", "double"]);
  }
  expect(
    await counter.counted(async () => {
      await service.call("/api/mouse/left-click", {}); // at the cursor, which is there
      await service.call("/api/mouse/double-click", {});
      await end();
    }),
  ).toEqual(["single", "single", "double"]);
  expect(await counter.counted(() => double().then(double).then(end)))
    .toEqual(["single", "double", "single", "double"]);
  const triple = () => service.call("/api/mouse/triple-click", { x: 50, y: 50 });
  expect(await counter.counted(() => double().then(triple).then(end)))
    .toEqual(["single", "double", "single", "double", "triple"]);
  expect(await x.buttonsDown()).toBe(0);
});
