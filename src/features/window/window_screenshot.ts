/** Takes a picture of one window, also of one that others cover. */

import { ServiceError } from "../../core/errors.ts";
import { overlap } from "../../imaging/boxes.ts";
import { requireCapability } from "../../platform/capability.ts";
import type { Display, Point, Region, Window, Windows } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import type { ScreenshotInput } from "../display/fields.ts";
import {
  describePicture,
  PICTURE_HEADERS,
  PICTURE_MEDIA_TYPES,
  planPicture,
} from "../display/screenshot.ts";
import type { FileAnswer, ResultOf } from "../operation.ts";
import { nameWindow } from "./window_answer.ts";
import { Pictures } from "../display/pictures.ts";
import { Frames } from "../input/frames.ts";

export const WINDOW_PICTURE = {
  status: 200,
  description: "The picture of the window, as a file.",
  mediaTypes: PICTURE_MEDIA_TYPES,
  headers: PICTURE_HEADERS,
} satisfies FileAnswer;

export type WindowScreenshotInput =
  & Pick<
    ScreenshotInput,
    "max_width" | "max_height" | "max_edge" | "enlarge" | "fit" | "cursor" | "format" | "quality"
  >
  & { readonly id: string; readonly display_num: number };

export async function takeWindowScreenshot(
  context: Context,
  input: WindowScreenshotInput,
): Promise<ResultOf<typeof WINDOW_PICTURE>> {
  const { platform, session, signal } = context;
  const display = await platform.displays.open(input.display_num);
  const windows = requireCapability(display.windows);
  const window = await windows.find(input.id, signal);
  const region = visibleRegion(window, display);
  const screen = await chooseScreen(windows, { window, region, display, signal });
  const plan = planPicture(region, { ...input, since: undefined, frame: undefined });
  const rendered = await session.use(Pictures).run("render", { screen }, plan, signal);
  const sent = session.use(Frames).add({
    displayNum: display.displayNum,
    screen: display.size,
    serverRun: display.serverRun,
    region,
    size: rendered.size,
    window: rendered.window,
    run: crypto.randomUUID(), // no counter of changes is about one window
    count: 0,
    cursor: rendered.cursor,
    tag: `"${crypto.randomUUID()}"`,
  });
  return {
    mediaType: `image/${input.format}`,
    bytes: rendered.bytes,
    headers: {
      ...describePicture(sent, plan, rendered),
      "Content-Disposition": `inline; filename="window.${input.format}"`,
    },
  };
}

/** The part of a window that is on the screen. @throws ServiceError when none is */
function visibleRegion(window: Window, { size }: Display): Region {
  const { frame, states } = window;
  if (frame === null) {
    throw new ServiceError(
      "unsupported",
      "This system does not report the positions of its windows",
    );
  }
  const state = (["minimized", "hidden"] as const).find((each) => states.includes(each));
  if (state !== undefined) {
    const message = `Window ${nameWindow(window)} is ${state}: bring it to the front first`;
    throw new ServiceError("conflict", message);
  }
  const region = overlap(frame, { x: 0, y: 0, ...size });
  if (region !== undefined) return region;
  const message = `Window ${nameWindow(window)} is off the screen: move it onto the screen first`;
  throw new ServiceError("conflict", message);
}

interface VisibleWindow {
  readonly window: Window;
  readonly region: Region;
  readonly display: Display;
  readonly signal: AbortSignal;
}

/** The screen itself where nothing covers the window, for what it costs to draw one apart. */
async function chooseScreen(
  windows: Windows,
  { window, region, display, signal }: VisibleWindow,
): Promise<Display["screen"]> {
  const above = await findAbove(windows, window, region, signal);
  if (above.length === 0) return display.screen;
  const apart = await windows.screenOf?.(window.id, signal);
  if (apart !== undefined) return apart;
  const why = "is covered, and this system cannot capture a window separately";
  const message = `Window ${nameWindow(window)} ${why}: ${above.join(", ")}`;
  throw new ServiceError("conflict", `${message}. Bring it to the front first`);
}

/** What covers a part of a window: windows above it, and what no list has, such as a menu. */
async function findAbove(
  windows: Windows,
  window: Window,
  region: Region,
  signal: AbortSignal,
): Promise<string[]> {
  const all = await windows.list(signal);
  const others = all.slice(0, all.findIndex(({ id }) => id === window.id));
  const above = others.filter(({ frame, states }) =>
    frame !== null && overlap(frame, region) !== undefined &&
    !states.includes("minimized") && !states.includes("hidden")
  );
  if (above.length > 0) return above.map(nameWindow);
  const found = await Promise.all(samplePoints(region).map((at) => windows.at(at, signal)));
  const unlisted = found.filter((id) => id !== undefined && id !== window.id);
  return unlisted.length === 0 ? [] : ["a menu or a similar popup"];
}

const SAMPLES = 8;

function samplePoints({ x, y, width, height }: Region): Point[] {
  const steps = Array.from({ length: SAMPLES }, (_, index) => (index + 0.5) / SAMPLES);
  return steps.flatMap((down) =>
    steps.map((right) => ({ x: x + Math.floor(width * right), y: y + Math.floor(height * down) }))
  );
}
