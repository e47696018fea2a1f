/**
 * Waits until the display changes, is stable, or shows something; looks only when the display
 * reports a change.
 */

import type { Point, Region, Rgb, Size } from "../../platform/types/mod.ts";
import { checkOnScreen, inField } from "../fields.ts";
import { areaOnScreen, checkInPicture, toScreen } from "../input/frames.ts";
import type { Context } from "../context.ts";
import type { Ignored } from "./compare_job.ts";
import { abortAfter, pause, TIME_IS_UP } from "../../core/deadline.ts";
import { findImage, type Found } from "./find_image.ts";
import type { ImageFile } from "../../imaging/header.ts";
import { readImage } from "./image_file.ts";
import { openView, type View } from "./view.ts";
import { type FileCondition, waitForFile } from "./wait_for_file.ts";
import { waitForProcess } from "./wait_for_process.ts";
import { isResizing, REST_MS, type Watched, watchRegion } from "./watch_region.ts";

/** The default: a blinking text cursor does not keep the display from being stable. */
const IGNORED_WHEN_STABLE = 100;

type Until =
  | "change"
  | "stable"
  | { readonly pixel: { x: number; y: number; rgb: number[]; tolerance: number } }
  | { readonly image: string; readonly confidence: number }
  | { readonly file: FileCondition }
  | { readonly process: { readonly pid: number } };

/** The conditions that are about a display. */
type OnDisplay = Exclude<Until, { file: unknown } | { process: unknown }>;

export interface WaitInput {
  readonly until: Until;
  readonly timeout_ms: number;
  readonly stable_ms: number;
  readonly region?: Region | undefined;
  readonly ignore_area?: number | Region | readonly Region[] | undefined;
  readonly frame?: string | undefined;
  readonly display_num: number;
}

interface Waiting extends Watched, View {
  readonly input: WaitInput;
  /** Aborts at the timeout, and when the client disconnects. */
  readonly signal: AbortSignal;
}

type Outcome = { readonly status: Status; readonly match?: Found };
type Status = "changed" | "stable" | "found" | "gone" | "ended";

export async function waitForDisplay(context: Context, input: WaitInput) {
  const start = performance.now();
  using deadline = abortAfter(input.timeout_ms, context.signal);
  const elapsed = () => Math.round(performance.now() - start);
  const elsewhere = waitElsewhere(context, input, deadline.signal);
  const waiting = elsewhere ? undefined : await prepare(context, input, deadline.signal);
  try {
    return { ...await (elsewhere ?? waitUntil(waiting!)), elapsed_ms: elapsed() };
  } catch (error) {
    if (error !== TIME_IS_UP) throw error;
    return { status: "timeout" as const, elapsed_ms: elapsed() };
  }
}

/** Waits for what needs no display; `undefined` for all other conditions. */
function waitElsewhere(
  context: Context,
  { until, timeout_ms }: WaitInput,
  signal: AbortSignal,
): Promise<Outcome> | undefined {
  if (typeof until === "string") return undefined;
  if ("file" in until) return waitForFile(context, until.file, { signal, timeoutMs: timeout_ms });
  if ("process" in until) return waitForProcess(context, until.process, signal);
  return undefined;
}

async function prepare(context: Context, input: WaitInput, signal: AbortSignal): Promise<Waiting> {
  const { region: wanted = { x: 0, y: 0 } } = input;
  const view = await openView(context, input, { ...wanted, within: ["region"] });
  const changes = await view.display.watch();
  view.regionOf((await changes.look()).size); // reports an invalid region before the wait begins
  return { ...view, context, input, changes, signal };
}

async function waitUntil(waiting: Waiting): Promise<Outcome> {
  const until = waiting.input.until as OnDisplay;
  if (until === "change") return await waitForChange(waiting);
  if (until === "stable") return await waitUntilStable(waiting);
  if ("pixel" in until) return await waitForPixel(waiting, until.pixel);
  const image = await readImage(until.image, {
    ...{ home: waiting.context.config.home, limits: waiting.context.config.limits },
    field: ["until", "image"],
  });
  return await waitForImage(waiting, image, until.confidence);
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
  const { display, frame } = waiting;
  const at = frame ? toScreen(frame, point) : point;
  inField(["until", "pixel"], () => {
    if (frame) checkInPicture(frame, point);
    checkOnScreen(display, at);
  });
  const fits = (colour: Rgb) => colour.every((value, i) => Math.abs(value - rgb[i]!) <= tolerance);
  return await repeat(waiting, async () => {
    return fits(await display.pixel(at)) ? { status: "found" } : undefined;
  });
}

async function waitForImage(
  waiting: Waiting,
  image: ImageFile,
  confidence: number,
): Promise<Outcome> {
  const { context, display, regionOf, frame, signal, input } = waiting;
  return await repeat(waiting, async (size) => {
    signal.throwIfAborted();
    const region = regionOf(size);
    const [match] = await findImage(context, display, {
      ...{ image, region, frame, part: input.region, confidence, all: false, signal },
      field: ["until", "image"],
    });
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
