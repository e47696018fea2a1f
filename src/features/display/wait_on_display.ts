/**
 * Waits until the display changes, is stable, or shows something; checks only when the display
 * reports a change.
 */

import { abortAfter, pause } from "../../core/deadline.ts";
import { hasCode } from "../../core/errors.ts";
import type { ImageFile } from "../../imaging/image_file.ts";
import { contains, joinAreas, overlap, without } from "../../imaging/boxes.ts";
import type { Match } from "../../imaging/match/plane.ts";
import type { Changes, Point, Region, Rgb, Size } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { checkOnScreen, inField } from "../fields.ts";
import { areaOnScreen, checkInPicture, toScreen } from "../input/frames.ts";
import type { Ignored } from "./jobs.ts";
import { findImage, readImage } from "./find_image.ts";
import { openView, type View } from "./view.ts";
import { Pictures } from "./pictures.ts";

/** The default: a blinking text cursor does not keep the display from being stable. */
const IGNORED_WHEN_STABLE = 100;

/** The conditions that are about what a display shows. */
type DisplayCondition =
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
  /** Where the condition is in the request, for the locations of errors. */
  readonly at: readonly string[];
  /** Aborts at the timeout, and when the client disconnects. */
  readonly signal: AbortSignal;
}

interface PreparedWait extends View, Awaited<DisplayCondition> {
  readonly context: Context;
  readonly input: WaitInput;
  readonly changes: Changes;
}

interface DisplayWaitResult {
  readonly status: "changed" | "stable" | "found" | "gone";
  readonly match?: Match;
}

/** @throws the signal's reason */
export async function waitOnDisplay(
  context: Context,
  input: WaitInput,
  awaited: Awaited<DisplayCondition>,
): Promise<DisplayWaitResult> {
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
): Promise<PreparedWait> {
  const { region: wanted = { x: 0, y: 0 } } = input;
  const view = await openView(context, input, { ...wanted, within: ["region"] });
  const changes = await view.display.watch();
  view.regionOf((await changes.poll()).size); // reports an invalid region before the wait begins
  return { ...view, ...awaited, context, input, changes };
}

async function waitForChange(waiting: PreparedWait): Promise<DisplayWaitResult> {
  await using watch = await watchRegion(waiting, ignoredBy(waiting, 0));
  while (!await watch.changed(waiting.signal)) { /* something else changed, or too little */ }
  return { status: "changed" };
}

async function waitUntilStable(waiting: PreparedWait): Promise<DisplayWaitResult> {
  const { input, signal } = waiting;
  await using watch = await watchRegion(waiting, ignoredBy(waiting, IGNORED_WHEN_STABLE));
  let last = performance.now();
  while (true) {
    const stableAt = last + input.stable_ms;
    using calm = abortAfter(stableAt - performance.now(), signal);
    if (await watch.changed(signal, calm.signal)) last = performance.now();
    // an earlier check, of a change that does not count, may have missed one that does
    else if (watch.checkedAt >= stableAt) return { status: "stable" };
  }
}

/**
 * What to ignore, on the screen: a number replaces the `usual` limit in pixels, regions are ignored
 * in addition to it.
 */
function ignoredBy({ input: { ignore_area }, frame }: PreparedWait, usual: number): Ignored {
  if (ignore_area === undefined) return { pixels: usual, regions: [] };
  if (typeof ignore_area === "number") return { pixels: ignore_area, regions: [] };
  const regions = [ignore_area].flat();
  return {
    pixels: usual,
    regions: frame ? regions.map((region) => areaOnScreen(frame, region)) : regions,
  };
}

async function waitForPixel(
  waiting: PreparedWait,
  { rgb, tolerance, ...point }: Point & { rgb: number[]; tolerance: number },
): Promise<DisplayWaitResult> {
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
  waiting: PreparedWait,
  image: ImageFile,
  confidence: number,
): Promise<DisplayWaitResult> {
  const { context, display, regionOf, frame, signal, input, gone } = waiting;
  return await repeat(waiting, async (size) => {
    signal.throwIfAborted();
    const region = regionOf(size);
    const [match] = await findImage(context, display, {
      image,
      region,
      frame,
      part: input.region,
      confidence,
      all: false,
      signal,
      field: [...waiting.at, "image"],
    });
    if (gone) return match ? undefined : { status: "gone" };
    return match && { status: "found", match };
  });
}

/** Checks now, and again after every change. */
async function repeat(
  { changes, signal }: PreparedWait,
  check: (size: Size) => Promise<DisplayWaitResult | undefined>,
): Promise<DisplayWaitResult> {
  while (true) {
    const { count, size } = await changes.poll();
    const outcome = await check(size).catch((error) => {
      if (!isResizing(error)) throw error;
    });
    if (outcome) return outcome;
    await changes.next(count, signal);
    await pause(POLL_INTERVAL_MS, signal);
  }
}

// Follows what a region of the display shows: checks it when the display reports a change.

/** Interval between checks while the display keeps changing. */
const POLL_INTERVAL_MS = 10;

interface Watch extends AsyncDisposable {
  /**
   * Resolves after a change on the display, with whether the change counts.
   * @param patience ends the wait for a change, but a change that has arrived by then is still
   * checked
   */
  changed(signal: AbortSignal, patience?: AbortSignal): Promise<boolean>;
  /** When the last check began, in the time of `performance.now()`. */
  readonly checkedAt: number;
}

/** Follows a region, starting from its current content. */
async function watchRegion(waiting: PreparedWait, ignored: Ignored): Promise<Watch> {
  const { context: { session }, display, changes, regionOf } = waiting;
  const pictures = session.use(Pictures);
  const name = crypto.randomUUID();
  let { count, size } = await changes.poll();
  let region = regionOf(size);
  /** Until what is remembered is of the new size: it can be resized again meanwhile. */
  let resized = false;
  const areasUntilNow = async () => {
    const now = await changes.poll();
    const areas = changes.since(count) ?? [{ x: 0, y: 0, ...now.size }];
    resized ||= now.size.width !== size.width || now.size.height !== size.height;
    ({ count, size } = now);
    return areas.flatMap((area) => overlap(area, region) ?? []);
  };
  const remember = async () => {
    region = regionOf(size);
    await pictures.run("remember", display, { name, region });
    resized = false;
  };
  // a worker that crashed has already forgotten the region
  const forget = () => pictures.run("forget", display, { name }).catch(() => {});
  const check = async (): Promise<boolean> => {
    const areas = (await areasUntilNow())
      .filter((area) => !ignored.regions.some((one) => contains(one, area)));
    if (resized) {
      await remember();
      return true;
    }
    if (areas.length === 0) return false;
    return await pictures.run("compare", display, { name, areas, ignored });
  };
  let early: boolean;
  try {
    await remember();
    // an area that changes again meanwhile may be remembered in its newest state, and can then no
    // longer be compared
    const areas = (await areasUntilNow()).flatMap((area) => without(area, ignored.regions));
    early = resized ||
      joinAreas(areas).some(({ width, height }) => width * height >= ignored.pixels);
  } catch (error) {
    await forget();
    throw error;
  }
  let checkedAt = performance.now();
  return {
    get checkedAt() {
      return checkedAt;
    },
    async changed(signal, patience = signal) {
      if (early) return !(early = false);
      signal.throwIfAborted(); // a display that changes all the time reports the next change at once
      await changes.next(count, patience).catch((error) => {
        if (!patience.aborted || signal.aborted) throw error;
      });
      const remainingMs = checkedAt + POLL_INTERVAL_MS - performance.now();
      if (remainingMs > 0) await pause(remainingMs, signal);
      checkedAt = performance.now();
      return await check().catch((error) => {
        if (isResizing(error)) return true;
        throw error;
      });
    },
    [Symbol.asyncDispose]: async () => void await forget(),
  };
}

/** Whether a picture could not be taken because the display was being resized. */
function isResizing(error: unknown): boolean {
  return hasCode(error, "conflict");
}
