/** The size of a screen, which follows its resolution, and the list of displays. */

import { expect } from "expect";
import { run, startDesktop } from "../../support/desktop.ts";
import { startService } from "../../support/service.ts";
import { startXvfb } from "../../support/xvfb.ts";
import { waitFor } from "../../support/wait.ts";

Deno.test("screen_size, pictures and the mouse follow a change of the resolution", async () => {
  await using desktop = await startDesktop({ server: { size: "800x600" } });
  const { service, display } = desktop;
  const size = () => service.call("/api/display/screen_size") as Promise<{ width: number }>;
  expect(await size()).toEqual({ width: 800, height: 600 });
  const xrandr = (...args: string[]) => run("xrandr", ["-display", display, ...args]);
  await xrandr("--newmode", "small", "25", ..."640 656 752 800 480 490 492 525".split(" "));
  await xrandr("--addmode", "screen", "small");
  await xrandr("--output", "screen", "--mode", "small");
  await waitFor(async () => (await size()).width === 640, { what: "the new size" });
  expect(await size()).toEqual({ width: 640, height: 480 });
  await service.call("/api/mouse/move", { x: 5000, y: 5000 });
  expect(await service.call("/api/mouse/position")).toEqual({ x: 639, y: 479 });
  await service.refused(422, "/api/display/pixel_color", { x: 640, y: 0 });
  await service.refused(422, "/api/mouse/left-click", { x: 0, y: 480 });
  expect((await service.send("/api/display/screenshot?x=639&y=479")).status).toBe(200);
});

Deno.test("list names every display with its size, number 1 the primary", async () => {
  await using first = await startXvfb({ size: "800x600" });
  await using second = await startXvfb({ size: "640x480" });
  await using service = await startService({ displays: [first.display, second.display] });
  expect(await service.call("/api/display/list")).toEqual([
    { display_num: 1, name: first.display, width: 800, height: 600, scale: 1, primary: true },
    { display_num: 2, name: second.display, width: 640, height: 480, scale: 1, primary: false },
  ]);
  expect(await service.call("/api/display/screen_size?display_num=2"))
    .toEqual({ width: 640, height: 480 });
  await second.kill();
  await waitFor(async () => (await service.call("/api/display/list") as unknown[]).length === 1, {
    what: "the second display to be missed",
  });
});
