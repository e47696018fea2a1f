/** Outputs that are scaled, turned, plugged in and out: clicks land exactly, and nothing stays pressed. */

import { expect } from "expect";
import { startService } from "../../../../support/service.ts";
import { waitFor } from "../../../../support/wait.ts";
import {
  type EventLog,
  FILLS_OUTPUT,
  openEventLog,
} from "../../../../support/wayland/event_log.ts";
import { startNestedSway } from "../../../../support/wayland/sway.ts";
import { startSway, testSway } from "./support.ts";

interface Listed {
  readonly display_num: number;
}

const OUTPUTS = [
  "scale 1",
  "scale 1.5",
  "scale 1.25",
  "scale 2",
  "scale 1 transform 90",
  "scale 1.5 transform 270",
  "scale 1 transform 180",
  "scale 1 transform flipped",
  "scale 2 transform flipped-90",
] as const;

testSway(
  "clicks land on the pixel that was asked for, however the output is shown",
  async (test) => {
    await using desktop = await startSway({ width: 1200, height: 900 });
    await using service = await desktop.service();
    await using log = await openEventLog(desktop);
    for (const output of OUTPUTS) {
      await test.step(output, async () => {
        await desktop.run("swaymsg", [`output HEADLESS-1 ${output}`]);
        const scale = Number(output.split(" ")[1]);
        const isTurned = /90|270/.test(output);
        const expected = isTurned ? { width: 900, height: 1200 } : { width: 1200, height: 900 };
        await waitFor(async () => {
          expect(await service.call("/api/display/screen_size")).toEqual(expected);
          return true;
        }, { what: "the size to follow" });
        const { width, height } = expected;
        await waitFor(async () => {
          await log.clear();
          await service.call("/api/mouse/move", { x: 0, y: 0 });
          await service.call("/api/mouse/move", { x: width - 1, y: height - 1 });
          return (await log.pointer()).some(({ x = 0, y = 0 }) =>
            (x + 1) * scale >= width && (y + 1) * scale >= height
          );
        }, { what: "the window to fill the output" });
        const corners = [[0, 0], [width - 1, 0], [0, height - 1], [width - 1, height - 1], [
          301,
          427,
        ]];
        for (const [x, y] of corners as [number, number][]) {
          await log.clear();
          await service.call("/api/mouse/left-click", { x, y });
          const at = await clickedAt(log);
          // in the logical coordinates of the window: the pixel that they are within is what counts
          expect([x, y, Math.floor(at.x * scale), Math.floor(at.y * scale)]).toEqual([x, y, x, y]);
          if (x === 301) expect(await service.call("/api/mouse/position")).toEqual({ x, y });
        }
        const picture = await service.send("/api/display/screenshot?format=png");
        expect(pngSize(await picture.bytes())).toEqual(expected);
      });
    }
  },
);

testSway("an output that is unplugged during a drag leaves nothing pressed", async () => {
  await using sway = await startNestedSway(2, { config: FILLS_OUTPUT });
  await using service = await startService({ displays: [], env: sway.env });
  await sway.tell("focus output WL-2");
  await using log = await openEventLog(sway.desktop);
  await service.call("/api/mouse/move", { x: 10, y: 10, display_num: 2 });
  // it begins to listen when there is a mouse, and would miss the press before that
  await waitFor(async () => (await log.pointer()).length > 0, { what: "the mouse" });
  // it must not be over before the output is gone
  const drag = service.send("/api/mouse/drag", {
    ...{ from: { x: 20, y: 20 }, x: 300, y: 300, duration_ms: 6_000, display_num: 2 },
  });
  await waitFor(async () => (await log.pointer()).some(({ type }) => type === "press"));
  await sway.unplug("WL-2");
  expect((await drag).status).toBe(503);
  const list = async () => await service.call("/api/display/list") as Listed[];
  await waitFor(async () => (await list()).length === 1, { what: "the output to be gone" });
  expect(await service.refused(503, "/api/mouse/move", { x: 1, y: 1, display_num: 2 }))
    .toContain("no output");
  // the window is on the other output now, where a click is a click and no drag
  await log.clear();
  await service.call("/api/mouse/left-click", { x: 100, y: 100 });
  // the release of the drag may be drawn late
  await waitFor(async () => (await buttonsOf(log)).join().endsWith("press,release"));
  expect((await buttonsOf(log)).join()).toMatch(/^(release,)?press,release$/);
});

async function buttonsOf(log: EventLog): Promise<string[]> {
  return (await log.pointer()).map(({ type }) => type).filter((type) => type !== "motion");
}

async function clickedAt(log: EventLog): Promise<{ x: number; y: number }> {
  await waitFor(async () => (await log.pointer()).at(-1)?.type === "release", { everyMs: 2 });
  const motions = (await log.pointer()).filter(({ type }) => type === "motion");
  const { x, y } = motions.at(-1)!;
  return { x: x!, y: y! };
}

function pngSize(png: Uint8Array): { width: number; height: number } {
  const view = new DataView(png.buffer);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
