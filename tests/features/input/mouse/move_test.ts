/** Moving the cursor on a real server. */

import { expect } from "expect";
import { startDesktop, startRecordedDesktop } from "../../../support/desktop.ts";

Deno.test("moveCursor() moves there, and to the nearest point for one off the screen", async () => {
  await using desktop = await startDesktop({ server: { size: "640x480" } });
  const { service } = desktop;
  const table = [
    [{ x: 10, y: 20 }, { x: 10, y: 20 }],
    [{ x: 639, y: 479 }, { x: 639, y: 479 }],
    [{ x: 640, y: 480 }, { x: 639, y: 479 }],
    [{ x: -5, y: 100 }, { x: 0, y: 100 }],
    [{ x: 2 ** 40, y: -(2 ** 40) }, { x: 639, y: 0 }],
    [{ x: 70_000, y: 65_536 }, { x: 639, y: 479 }],
  ];
  for (const [to, there] of table) {
    expect(await service.call("/api/mouse/move", to)).toBe(undefined);
    expect(await service.call("/api/mouse/position")).toEqual(there);
  }
  expect((await service.send("/api/mouse/move", { x: 1, y: 1 })).status).toBe(204);
});

Deno.test("moveCursor() with a duration goes in a line, and arrives", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.call("/api/mouse/move", { x: 20, y: 30 });
  await recorder.sync();
  recorder.clear();
  await service.call("/api/mouse/move", { x: 320, y: 180, duration_ms: 400 });
  await recorder.sync();
  const points = recorder.motions.map(({ x, y }) => ({ x, y }));
  expect(points.at(-1)).toEqual({ x: 320, y: 180 });
  expect(points.length).toBeGreaterThan(3);
  for (const [index, { x, y }] of points.entries()) {
    expect(Math.abs((y - 30) - (x - 20) / 2)).toBeLessThanOrEqual(1);
    if (index > 0) expect(x).toBeGreaterThanOrEqual(points[index - 1]!.x);
  }
});

Deno.test("moveCursor() presses nothing", async () => {
  await using desktop = await startRecordedDesktop();
  await desktop.service.call("/api/mouse/move", { x: 50, y: 60 });
  await desktop.recorder.sync();
  expect(desktop.recorder.buttonEvents).toEqual([]);
  expect(desktop.recorder.motions.at(-1)).toMatchObject({ x: 50, y: 60 });
});
