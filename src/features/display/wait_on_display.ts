/**
 * Waits until the display changes, is stable, or shows something; looks only when the display
 * reports a change.
 */

import type { Point, Region, Rgb, Size } from "../../platform/types/mod.ts";
import { checkOnScreen, inField } from "../fields.ts";
import { areaOnScreen, checkInPicture, toScreen } from "../input/frames.ts";
import type { Context } from "../context.ts";
import type { Ignored } from "./compare_job.ts";
import { abortAfter, pause } from "../../core/deadline.ts";
import { findImage, type Found } from "./find_image.ts";
import type { ImageFile } from "../../imaging/header.ts";
import { readImage } from "./image_file.ts";
import { openView, type View } from "./view.ts";
import { isResizing, REST_MS, type Watched, watchRegion } from "./watch_region.ts";

/** The default: a blinking text cursor does not keep the display from being stable. */
const IGNORED_WHEN_STABLE = 100;

/** The conditions that are about what a display shows. */
export type DisplayCondition =
  | "change"
  | "stable"
  | { readonly pixel: { x: number; y: number; rgb: number[]; tolerance: number } }
  | { readonly image: string; readonly confidence: number };

export interface WaitInput {
  readonly timeout_ms: number;
  readonly stable_ms: number;
  readonly region?: Region | undefined;
  readonly ignore_area?: number | Region | readonly Region[] | undefined;
  readonly frame?: string | undefined;
  readonly display_num: number;
}

/** What is waited for, and for how long. */
export interface Awaited<C> {
  readonly condition: C;
  /** Waits until the condition no longer holds. */
  readonly gone: boolean;
  /** Where the condition is in the request, for the locations of faults. */
  readonly at: readonly string[];
  /** Aborts at the timeout, and when the client disconnects. */
  readonly signal: AbortSignal;
}

interface Waiting extends Watched, View, Awaited<DisplayCondition> {
  readonly input: WaitInput;
}

interface Outcome {
  readonly status: "changed" | "stable" | "found" | "gone";
  readonly match?: Found;
}

/** @throws the signal's reason */
export async function waitOnDisplay(
  context: Context,
  input: WaitInput,
  awaited: Awaited<DisplayCondition>,
): Promise<Outcome> {
  const waiting = await prepare(context, input, awaited);
  const { condition } = awaited;
  if (condition === "change") return await waitForChange(waiting);
  if (condition === "stable") return await waitUntilStable(waiting);
  if ("pixel" in condition) return await waitForPixel(waiting, condition.pixel);
  const image = await readImage(condition.image, {
    config: context.config,
    field: [...awaited.at, "image"],
  });
  return await waitForImage(waiting, image, condition.confidence);
}

async function prepare(
  context: Context,
  input: WaitInput,
  awaited: Awaited<DisplayCondition>,
): Promise<Waiting> {
  const { region: wanted = { x: 0, y: 0 } } = input;
  const view = await openView(context, input, { ...wanted, within: ["region"] });
  const changes = await view.display.watch();
  view.regionOf((await changes.look()).size); // reports an invalid region before the wait begins
  return { ...view, ...awaited, context, input, changes };
}

async function waitForChange(waiting: Waiting): Promise<Outcome> {
  await using watch = await watchRegion(waiting, ignoredBy(waiting, 0));
  while (!await watch.changed(waiting.signal)) { /* something else changed, or too little */ }
  return { status: "changed" };
}

async function waitUntilStable(waiting: Waiting): Promise<Outcome> {
  const { input, signal } = waiting;
  await using watch = await watchRegion(waiting, ignoredBy(waiting, IGNORED_WHEN_STABLE));
  let last = performance.now();
  while (true) {
    using calm = abortAfter(last + input.stable_ms - performance.now(), signal);
    if (await watch.changed(signal, calm.signal)) last = performance.now();
    else if (calm.signal.aborted) return { status: "stable" }; // repainted, but unchanged
  }
}

/**
 * What to ignore, on the screen: a number replaces the `usual` limit in pixels, regions are ignored
 * in addition to it.
 */
function ignoredBy({ input: { ignore_area }, frame }: Waiting, usual: number): Ignored {
  if (ignore_area === undefined) return { pixels: usual, regions: [] };
  if (typeof ignore_area === "number") return { pixels: ignore_area, regions: [] };
  const regions = [ignore_area].flat();
  return {
    pixels: usual,
    regions: frame ? regions.map((region) => areaOnScreen(frame, region)) : regions,
  };
}

async function waitForPixel(
  waiting: Waiting,
  { rgb, tolerance, ...point }: Point & { rgb: number[]; tolerance: number },
): Promise<Outcome> {
  const { display, frame, gone } = waiting;
  const at = frame ? toScreen(frame, point) : point;
  inField([...waiting.at, "pixel"], () => {
    if (frame) checkInPicture(frame, point);
    checkOnScreen(display, at);
  });
  const fits = (colour: Rgb) => colour.every((value, i) => Math.abs(value - rgb[i]!) <= tolerance);
  return await repeat(waiting, async () => {
    if (fits(await display.pixel(at)) === gone) return undefined;
    return { status: gone ? "gone" : "found" };
  });
}

async function waitForImage(
  waiting: Waiting,
  image: ImageFile,
  confidence: number,
): Promise<Outcome> {
  const { context, display, regionOf, frame, signal, input, gone } = waiting;
  return await repeat(waiting, async (size) => {
    signal.throwIfAborted();
    const region = regionOf(size);
    const [match] = await findImage(context, display, {
      ...{ image, region, frame, part: input.region, confidence, all: false, signal },
      field: [...waiting.at, "image"],
    });
    if (gone) return match ? undefined : { status: "gone" };
    return match && { status: "found", match };
  });
}

/** Checks now, and again after every change. */
async function repeat(
  { changes, signal }: Waiting,
  look: (size: Size) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  while (true) {
    const { count, size } = await changes.look();
    const outcome = await look(size).catch((error) => {
      if (!isResizing(error)) throw error;
    });
    if (outcome) return outcome;
    await changes.next(count, signal);
    await pause(REST_MS, signal);
  }
}
