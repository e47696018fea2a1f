/** Dragging, as it arrives at a window. */

import { expect } from "expect";
import { startRecordedDesktop } from "../../../support/desktop.ts";
import { waitFor } from "../../../support/wait.ts";

const CONTROL = 4;
const LEFT_DOWN = 0x100;

for (const duration_ms of [0, 150]) {
  Deno.test(`drag() in ${duration_ms} ms presses here, moves in steps and releases there`, async () => {
    await using desktop = await startRecordedDesktop();
    const { service, recorder } = desktop;
    await service.call("/api/mouse/move", { x: 20, y: 20 });
    await recorder.sync();
    recorder.clear();
    expect(await service.call("/api/mouse/drag", { x: 220, y: 120, duration_ms })).toBe(undefined);
    await recorder.sync();
    const { events } = recorder;
    expect(events[0]).toMatchObject({ what: "button down", detail: 1, x: 20, y: 20 });
    expect(events.at(-1)).toMatchObject({ what: "button up", detail: 1, x: 220, y: 120 });
    const between = events.slice(1, -1);
    expect(between.length).toBeGreaterThan(3);
    for (const event of between) {
      expect(event.what).toBe("motion");
      expect(event.state & LEFT_DOWN).toBe(LEFT_DOWN);
    }
    expect(between.at(-1)).toMatchObject({ x: 220, y: 120 });
  });
}

Deno.test("drag() drags with every button", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const table = { left: 1, middle: 2, right: 3, back: 8, forward: 9 };
  for (const [button, detail] of Object.entries(table)) {
    recorder.clear();
    await service.call("/api/mouse/drag", { x: 30 + detail, y: 40, button, duration_ms: 0 });
    await recorder.sync();
    expect(recorder.buttonEvents).toMatchObject([
      { what: "button down", detail },
      { what: "button up", detail },
    ]);
  }
});

Deno.test("drag() to a point off the screen is refused, and nothing is pressed", async () => {
  await using desktop = await startRecordedDesktop({ server: { size: "640x480" } });
  const { service, recorder } = desktop;
  const detail = await service.refused(422, "/api/mouse/drag", { x: 640, y: 10 });
  const bad: [Record<string, unknown>, string][] = [
    [{ from: { x: 1, y: 480 } }, '"loc":["body","from","y"]'],
    [{ from: { x: 1 } }, '"loc":["body","from","y"]'],
    [{ path: [{ x: 1, y: 1 }, { x: -1, y: 1 }] }, '"loc":["body","path",1,"x"]'],
    [{ path: { x: 1, y: 1 } }, '"loc":["body","path"]'],
    [{ path: Array.from({ length: 1001 }, () => ({ x: 1, y: 1 })) }, "too_long"],
    [{ modifiers: ["ctlr"] }, '"loc":["body","modifiers",0]'],
    [{ duration_ms: 300_001 }, '"loc":["body","duration_ms"]'],
    [{ duration_ms: -1 }, '"loc":["body","duration_ms"]'],
  ];
  for (const [body, loc] of bad) {
    expect(await service.refused(422, "/api/mouse/drag", { x: 1, y: 1, ...body })).toContain(loc);
  }
  expect(detail).toContain('"loc":["body","x"]');
  expect(detail).toContain("640x480");
  await recorder.sync();
  expect(recorder.buttonEvents).toEqual([]);
});

Deno.test("drag() releases the button when the client goes away half way", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.call("/api/mouse/move", { x: 10, y: 10 });
  const client = new AbortController();
  const body = { x: 390, y: 10, duration_ms: 60_000 };
  const answer = service.send("/api/mouse/drag", body, client.signal).catch(() => {});
  await waitFor(() => recorder.motions.some(({ state }) => state & LEFT_DOWN), {
    what: "the drag",
  });
  client.abort();
  await waitFor(async () => await recorder.x.buttonsDown() === 0, { what: "the release" });
  await answer;
  expect((await service.call("/api/mouse/position") as { x: number }).x).toBeLessThan(390);
});

for (const duration_ms of [0, 100]) {
  Deno.test(`drag() in ${duration_ms} ms goes from a point over a path, with modifiers`, async () => {
    await using desktop = await startRecordedDesktop({ recorder: { ping: true } });
    const { service, recorder } = desktop;
    const path = [{ x: 200, y: 20 }, { x: 200, y: 150 }];
    await service.call("/api/mouse/drag", {
      ...{ x: 40, y: 150, from: { x: 20, y: 20 }, path, duration_ms },
      modifiers: ["ctrl"],
    });
    await recorder.sync();
    const [down, up] = recorder.buttonEvents;
    expect(down).toMatchObject({ what: "button down", x: 20, y: 20, state: CONTROL });
    expect(up).toMatchObject({ what: "button up", x: 40, y: 150, state: CONTROL | LEFT_DOWN });
    const passed = recorder.motions.map(({ x, y }) => `${x},${y}`);
    expect(path.map(({ x, y }) => passed.includes(`${x},${y}`))).toEqual([true, true]);
    expect(await recorder.x.keysDown()).toEqual([]);
  });
}

Deno.test("drag() rests before it ends, so that drag and drop comes along", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const restOf = async (body: Record<string, unknown>) => {
    recorder.clear();
    await service.call("/api/mouse/drag", { x: 300, y: 200, from: { x: 20, y: 20 }, ...body });
    await recorder.sync();
    expect(recorder.events.at(-1)).toMatchObject({ what: "button up", x: 300, y: 200 });
    return recorder.events.at(-1)!.time - recorder.motions.at(-1)!.time;
  };
  expect(await restOf({})).toBeGreaterThanOrEqual(90);
  expect(await restOf({ duration_ms: 10 })).toBeGreaterThanOrEqual(90);
});
