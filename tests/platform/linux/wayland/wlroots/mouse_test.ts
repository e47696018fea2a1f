/** The mouse on outputs that are scaled, turned, or one of several, by what a page in Chromium gets. */

import { expect } from "expect";
import { requireCapability } from "../../../../../src/platform/capability.ts";
import { FILLS_OUTPUT, openEventLog } from "../../../../support/wayland/event_log.ts";
import { startSway } from "../../../../support/wayland/sway.ts";
import { openWaylandChromium, type WaylandBrowser } from "../../../../support/wayland/chromium.ts";
import { missingFor, startWaylandDesktop } from "../../../../support/wayland/desktop.ts";
import type { Service } from "../../../../support/service.ts";
import type { Size } from "../../../../../src/core/geometry.ts";
import { testIf } from "../../../../support/test_if.ts";
import { waitFor } from "../../../../support/wait.ts";

const missing = missingFor("sway", ["chromium", "foot"]);
const test = testIf(missing === undefined, missing ?? "");

const POSITION = "/api/mouse/position";
const PAGE = { body: `<div id="page" style="position: fixed; inset: 0"></div>` };

/** How the output is set, and the size that programs then see. */
const SETTINGS = [
  { scale: 1, output: [], width: 1280, height: 800 },
  { scale: 2, output: [], width: 640, height: 400 },
  { scale: 1.5, output: [], width: 853, height: 533 },
  { scale: 1.25, output: [], width: 1024, height: 640 },
  { scale: 1, output: ["transform", "90"], width: 800, height: 1280 },
  { scale: 1.25, output: ["transform", "270"], width: 640, height: 1024 },
  { scale: 1, output: ["transform", "flipped"], width: 1280, height: 800 },
] as const;

test("a point of the picture is that point of the page, however the output is scaled and turned", async (context) => {
  await using desktop = await startWaylandDesktop("sway");
  const service = await desktop.service();
  await using browser = await openWaylandChromium(desktop, PAGE);
  for (const [index, { scale, output, width, height }] of SETTINGS.entries()) {
    await context.step(["scale", scale, ...output].join(" "), async () => {
      await desktop.run("swaymsg", [
        ...["output", "HEADLESS-1", "scale", `${scale}`, ...output],
      ]);
      const isReady = async () =>
        await browser.evaluate(`innerWidth === ${width} && innerHeight === ${height}`);
      await waitFor(isReady, { what: "the page to have its new size" });
      await checkPoints({ service, browser, displayNum: 1, scale, colour: [40 * index, 0, 255] });
    });
  }
});

test("each output of several has its own coordinates, and its own position", async () => {
  await using desktop = await startWaylandDesktop("sway", { outputs: 2 });
  const service = await desktop.service();
  for (const displayNum of [2, 1]) {
    await desktop.run("swaymsg", ["focus", "output", `HEADLESS-${displayNum}`]);
    await using browser = await openWaylandChromium(desktop, PAGE);
    await checkPoints({ service, browser, displayNum, scale: 1, colour: [0, 200, 40] });
    const other = 3 - displayNum;
    expect(await service.refused(501, `${POSITION}?display_num=${other}`)).toContain(
      "on this display",
    );
  }
});

test("an output that was just turned counts at once, however busy the service is", async () => {
  await using sway = await startSway({ config: FILLS_OUTPUT });
  const display = await sway.platform.displays.open(1);
  const input = requireCapability(display.input);
  await using log = await openEventLog(sway.desktop);
  expect(display.size).toEqual({ width: 1280, height: 800 });
  // nothing else runs in this process until the mouse was moved
  for (const args of [["output", "HEADLESS-1", "transform", "90"], ["nop"], ["nop"]]) {
    const { success } = new Deno.Command("swaymsg", { args, env: sway.desktop.env }).outputSync();
    expect(success).toBe(true);
  }
  expect(display.size).toEqual({ width: 800, height: 1280 });
  input.mouse.move({ x: 700, y: 1100 });
  await input.confirm();
  // the window may still have its old size there: it hears of the mouse with what comes next
  await waitFor(async () => {
    input.mouse.press("left");
    input.mouse.release("left");
    await input.confirm();
    return (await log.pointer()).some(({ x, y }) => x === 700.5 && y === 1100.5);
  }, { what: "the mouse at its point of the turned output" });
});

test("the position is unknown before the first move, and that is said", async () => {
  await using desktop = await startWaylandDesktop("sway");
  const service = await desktop.service();
  expect(await service.refused(501, POSITION)).toContain("move it first");
  await service.call("/api/mouse/move", { x: 12, y: 34 });
  expect(await service.call(POSITION)).toEqual({ x: 12, y: 34 });
});

interface Points {
  readonly service: Service;
  readonly browser: WaylandBrowser;
  readonly displayNum: number;
  /** Pixels of the picture per pixel of the page. */
  readonly scale: number;
  /** The page has not had it before. */
  readonly colour: readonly [number, number, number];
}

/** Clicks at the corners and at odd points of the picture. */
async function checkPoints(points: Points): Promise<void> {
  const { service, browser, displayNum, scale } = points;
  const size = await service.call(
    `/api/display/screen_size?display_num=${displayNum}`,
  ) as Size;
  await fillPicture(points, size);
  const at = [[0, 0], [1, 1], [301, 99], [size.width - 1, size.height - 1], [500, 333], [501, 334]];
  for (const [x, y] of at as [number, number][]) {
    browser.clear();
    await service.call("/api/mouse/left-click", { x, y, display_num: displayNum });
    const [event] = await browser.waitFor((events) => events.length > 0, { type: "mousedown" });
    // at fractional scales a pixel of the picture can belong to two of the page
    expect(pagePixels(x, scale)).toContain(event!.clientX);
    expect(pagePixels(y, scale)).toContain(event!.clientY);
  }
}

/**
 * Paints the page and waits until the picture shows that in all corners: a page has its new size before
 * its window has it, and until then a click beside the window belongs to what is shown there.
 */
async function fillPicture(
  { service, browser, displayNum, colour }: Points,
  { width, height }: Size,
): Promise<void> {
  await browser.evaluate(`page.style.background = "rgb(${colour})"`);
  const inset = 2; // at fractional scales the outermost pixels are mixed
  for (const x of [inset, width - 1 - inset]) {
    for (const y of [inset, height - 1 - inset]) {
      const at = { x, y, display_num: displayNum };
      const isPainted = async () =>
        `${await service.call("/api/display/pixel_color", at)}` === `${colour}`;
      await waitFor(isPainted, { what: `the page at ${x},${y} of the picture` });
    }
  }
}

/** The pixels of the page, the first and the last, that a pixel of the picture shows. */
function pagePixels(at: number, scale: number): number[] {
  return [Math.floor(at / scale), Math.ceil((at + 1) / scale) - 1];
}
