/** KWin with a fractional scale, and with two outputs: pictures and points are those of one output. */

import { expect } from "expect";
import { openWaylandChromium } from "../../../../support/wayland/chromium.ts";
import { missingFor, startWaylandDesktop } from "../../../../support/wayland/desktop.ts";
import { startUserService, type UserService } from "../../../../support/wayland/user_service.ts";
import { decodePng } from "../../../../support/png.ts";
import { testIf } from "../../../../support/test_if.ts";
import { waitFor } from "../../../../support/wait.ts";

const missing = missingFor("kwin", ["chromium"]);
const test = testIf(missing === undefined, missing ?? "");

/** Red, but for a blue box from 300,200 to 600,400 of the page. */
const BOX = `<style>body { background: rgb(255, 0, 0); overflow: hidden }</style>
<div style="position: fixed; left: 300px; top: 200px; width: 300px; height: 200px;
  background: rgb(0, 0, 255)"></div>`;
const RED = [255, 0, 0];
const BLUE = [0, 0, 255];

function colourAt(service: UserService, x: number, y: number, displayNum = 1) {
  return service.call("display/pixel_color", { x, y, display_num: displayNum });
}

/** Whether the page has all of an output: its window can have its size later than it has. */
async function isFilled(service: UserService, displayNum: number, scale = 1): Promise<boolean> {
  const inset = 2; // at fractional scales the outermost pixels are mixed
  const [right, bottom] = [1280 * scale - 1 - inset, 800 * scale - 1 - inset];
  const box = [450 * scale, 300 * scale, BLUE] as const;
  for (const [x, y, colour] of [box, [inset, inset, RED], [right, bottom, RED]] as const) {
    if (`${await colourAt(service, x, y, displayNum)}` !== `${colour}`) return false;
  }
  return true;
}

async function region(service: UserService, query: string) {
  const answer = await service.send(`/api/display/screenshot?${query}`);
  expect(answer.status).toBe(200);
  return decodePng(new Uint8Array(await answer.arrayBuffer()));
}

test("pixels of a picture are where the mouse clicks, at a scale of 1.5", async () => {
  await using desktop = await startWaylandDesktop("kwin", { scale: 1.5 });
  await using service = await startUserService(desktop);
  await using browser = await openWaylandChromium(desktop, { body: BOX });
  expect(await service.get("display/screen_size")).toEqual({ width: 1920, height: 1200 });
  expect(await service.get("display/list")).toMatchObject([{ scale: 1.5 }]);
  await waitFor(async () => await isFilled(service, 1, 1.5), { what: "the page on the output" });
  for (const [x, y, colour] of [[447, 450, RED], [452, 450, BLUE], [897, 597, BLUE]] as const) {
    expect([x, y, await colourAt(service, x, y)]).toEqual([x, y, colour]);
  }
  const { width, height, rgb } = await region(service, "x=801&y=501&width=201&height=201");
  expect([width, height]).toEqual([201, 201]);
  const at = (x: number, y: number) => [...rgb.subarray((y * 201 + x) * 3, (y * 201 + x) * 3 + 3)];
  expect([at(0, 0), at(96, 96), at(102, 96), at(200, 200)]).toEqual([BLUE, BLUE, RED, RED]);
  for (const [x, y] of [[0, 0], [1, 1], [2, 2], [449, 301], [450, 300], [1919, 1199]] as const) {
    browser.clear();
    await service.call("mouse/left-click", { x, y });
    const [{ clientX, clientY } = {}] = await browser.waitFor((events) => events.length === 1, {
      type: "mouseup",
    });
    const expected = [Math.floor((x + 0.5) / 1.5), Math.floor((y + 0.5) / 1.5)];
    expect([x, y, clientX, clientY]).toEqual([x, y, ...expected]);
    expect(await service.get("mouse/position")).toEqual({ x, y });
  }
});

test("each output is a display with its own picture and its own points", async () => {
  await using desktop = await startWaylandDesktop("kwin", { outputs: 2 });
  await using service = await startUserService(desktop);
  expect(await service.get("display/list")).toMatchObject([
    { display_num: 1, name: "Virtual-0", ...desktop.size, primary: true },
    { display_num: 2, name: "Virtual-1", ...desktop.size, primary: false },
  ]);
  await service.call("mouse/move", { x: 640, y: 400, display_num: 2 });
  await using browser = await openWaylandChromium(desktop, { body: BOX });
  const find = async () => {
    for (const each of [1, 2]) if (await isFilled(service, each)) return each;
  };
  const shown = await waitFor(find, { what: "the page on an output" });
  const other = 3 - shown;
  expect(await colourAt(service, 450, 300, other)).not.toEqual(BLUE);
  const part = await region(service, `x=290&y=190&width=20&height=20&display_num=${shown}`);
  expect([...part.rgb.subarray(0, 3), ...part.rgb.subarray(-3)]).toEqual([...RED, ...BLUE]);
  browser.clear();
  await service.call("mouse/left-click", { x: 601, y: 77, display_num: shown });
  await service.call("mouse/left-click", { x: 601, y: 77, display_num: other });
  await service.call("mouse/left-click", { x: 602, y: 78, display_num: shown });
  await browser.waitFor((events) => events.length === 2, { type: "mouseup" });
  expect(browser.events("mousedown")).toMatchObject([
    { clientX: 601, clientY: 77 },
    { clientX: 602, clientY: 78 },
  ]);
  expect(await service.get(`mouse/position?display_num=${shown}`)).toEqual({ x: 602, y: 78 });
});
