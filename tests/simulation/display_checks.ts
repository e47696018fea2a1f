/** Holds what is answered about a simulated screen against what it has shown. */

import type { Region } from "../../src/core/geometry.ts";
import { boxAround } from "../../src/imaging/boxes.ts";
import type { Period } from "./simulated_form.ts";
import { decodePng } from "../support/png.ts";
import { type Call, describe, type Started } from "./callers.ts";
import type { SimulatedServer } from "./simulated_display.ts";
import { isSame, type Moment, pixelsOf } from "./simulated_screen.ts";

/** A caller looks again, after what it waits for has come, within this time if nothing else goes on, in milliseconds. */
const IDLE_MS = 6_000;
/** So often who no longer waits may ask once more: it had not begun, or was in the middle of it. */
const LATE_POLLS = 3;
/** Of more areas that a display reports at once, the box around them is kept. */
const MOST_AREAS = 32;
/** A picture of which others cover less is found. */
const FOUND_SHARE = 0.8;
/** One of which others cover more is not. */
const GONE_SHARE = 0.5;
/** A drawing of so many pixels keeps a display from being still, even where a text cursor is drawn over it. */
const LOUD_PIXELS = 200;
/** Timers are in whole milliseconds. */
const ROUNDING_MS = 1;

/** A picture as its caller knows it, with what was sent of it since. */
export interface KnownPicture {
  readonly frame: string;
  readonly tag: string | undefined;
  /** How it was asked for. */
  readonly path: string;
  /** On the screen. */
  readonly region: Region;
  /** What was sent last of it, on the screen. */
  readonly window: Region;
  readonly pixels: Uint32Array;
}

export interface DisplayWait {
  readonly kind: "change" | "stable" | "pixel" | "picture";
  readonly timeoutMs: number;
  /** Of `stable`. */
  readonly stableMs?: number;
  /** Whether every change counts. */
  readonly isStrict?: boolean;
  /** All of the screen when absent. */
  readonly region?: Region | undefined;
  readonly ignored?: readonly Region[];
  /** Of a pixel. */
  isSo?(moment: Moment): boolean;
  /** Whether it waits until the picture is gone. */
  readonly isGone?: boolean;
}

export interface DisplayCall extends Call {
  /** The number of the newest moment when it came. */
  readonly from: number;
  readonly wait?: DisplayWait;
  /** Of a picture; all of the screen when absent. */
  readonly region?: Region | undefined;
  /** The picture of which it asks for the changes, or that it has. */
  readonly known?: KnownPicture;
  /** The longest that it waits, in milliseconds. */
  readonly mostMs?: number;
}

/** A picture as it was answered. */
export interface TakenPicture {
  readonly file: Uint8Array;
  readonly frame: string;
  readonly tag?: string | undefined;
  /** Where it belongs in the older picture. */
  readonly part?: Region | undefined;
  /** The boxes that have changed there. */
  readonly changes?: readonly (readonly number[])[] | undefined;
}

interface WaitAnswer {
  readonly status: string;
  readonly match?: { readonly x: number; readonly y: number };
}

type Each = Started<DisplayCall>;

export class DisplayChecks {
  readonly #screen;

  constructor(private readonly server: SimulatedServer) {
    this.#screen = server.screen;
  }

  /** Who has left, or whose time is up, no longer asks. */
  checkPolls(each: Each, { timeoutMs }: DisplayWait): void {
    const untilMs = Math.min(each.startedMs + timeoutMs, each.leftMs ?? Infinity);
    const late = this.server.askers.of(each.number).pollsMs.filter((ms) => ms > untilMs);
    if (late.length > LATE_POLLS) throw new Error(`${describe(each)} goes on after its end`);
  }

  checkWait(each: Each, wait: DisplayWait): void {
    const answer: WaitAnswer = JSON.parse(each.answer!.text);
    const isOver = answer.status === "timeout";
    if (isOver && this.server.hasEnded) return;
    if (wait.kind === "change") {
      if (isOver) this.#checkNoChange(each, wait);
      else this.#checkChange(each, wait);
    } else if (wait.kind === "stable") {
      if (isOver) this.#checkNotStill(each, wait);
      else this.#checkStill(each, wait);
    } else if (wait.kind === "pixel") {
      if (isOver) this.#checkMissed(each, wait.isSo!);
      else if (!this.#was(each, wait.isSo!)) this.#fail(each, "succeeded, and was never so");
    } else if (isOver) {
      const share = (moment: Moment) => this.#screen.pictureShare(moment);
      this.#checkMissed(each, (now) => wait.isGone ? share(now) < GONE_SHARE : share(now) === 1);
    } else this.#checkPicturePlace(each, wait, answer);
  }

  /** All of a picture is of one moment; gives what the caller knows now. */
  checkPicture(each: Each, taken: TakenPicture): KnownPicture {
    const { width, height, rgb } = decodePng(taken.file);
    const pixels = new Uint32Array(width * height).map((_, index) =>
      rgb[index * 3]! << 16 | rgb[index * 3 + 1]! << 8 | rgb[index * 3 + 2]!
    );
    const { known, region = { x: 0, y: 0, width, height }, path } = each.call;
    const { frame, tag, part } = taken;
    const window = part && known
      ? { ...part, x: known.region.x + part.x, y: known.region.y + part.y }
      : region;
    if (width !== window.width || height !== window.height) {
      this.#fail(each, `was answered ${width}x${height} pixels`);
    }
    if (!this.#was(each, (moment) => isSame(pixelsOf(moment, window), pixels))) {
      this.#fail(each, "shows what was never so");
    }
    if (!part || !known) return { frame, tag, path, region, window, pixels };
    this.#checkRest(each, known, taken.changes ?? []);
    const pasted = known.pixels.slice();
    for (let row = 0; row < height; row++) {
      const line = pixels.subarray(row * width, (row + 1) * width);
      pasted.set(line, (part.y + row) * known.region.width + part.x);
    }
    return { ...known, frame, tag: undefined, window, pixels: pasted };
  }

  /** What the caller has is what the screen showed. */
  checkSame(each: Each, { region, pixels }: KnownPicture): void {
    if (this.#was(each, (moment) => isSame(pixelsOf(moment, region), pixels))) return;
    this.#fail(each, "was answered that nothing has changed");
  }

  /** The screen was still for this time before its picture was taken, or it has taken `mostMs`. */
  checkSettled(each: Each, stableMs: number, mostMs: number): void {
    const { startedMs, answer } = each;
    const { endedMs } = answer!;
    if (endedMs - startedMs >= mostMs - ROUNDING_MS) return;
    const loud = this.#between(each).slice(1)
      .filter(({ isNew, drawn }) => isNew && drawn.width * drawn.height >= LOUD_PIXELS);
    const times = [startedMs, ...loud.map(({ ms }) => ms), endedMs];
    const longest = Math.max(...times.slice(1).map((ms, index) => ms - times[index]!));
    if (longest < stableMs - ROUNDING_MS) this.#fail(each, "shows a screen that was not still");
  }

  /** What was not sent had not changed by the moment that the answer is about. */
  #checkRest(each: Each, { region, pixels }: KnownPicture, boxes: TakenPicture["changes"]): void {
    const isSent = (index: number) => {
      const [column, row] = [index % region.width, Math.floor(index / region.width)];
      return boxes!.some(([x = 0, y = 0, width = 0, height = 0]) =>
        column >= x && column < x + width && row >= y && row < y + height
      );
    };
    const rest = [...pixels.keys()].filter((index) => !isSent(index));
    const isStillSo = (moment: Moment) => {
      const now = pixelsOf(moment, region);
      return now !== undefined && rest.every((index) => now[index] === pixels[index]);
    };
    if (!this.#was(each, isStillSo)) this.#fail(each, "leaves out what has changed");
  }

  /**
   * Something was drawn since it looked first. Until it has looked twice, all that is reported counts: the same pixels
   * that are drawn again, and the box around many areas, or around all differences on a screen that is compared.
   */
  #checkChange(each: Each, wait: DisplayWait): void {
    const { polled } = this.server.askers.of(each.number);
    if (polled.length < 3) this.#fail(each, "has asked for nothing");
    const [, first = each.call.from, second = first] = polled;
    const meanwhile = this.#screen.between(first + 1, second).map(({ drawn }) => drawn);
    const isBoxed = meanwhile.length > (this.server.source === "comparison" ? 0 : MOST_AREAS);
    const reported = isBoxed ? [boxAround(meanwhile)] : meanwhile;
    if (reported.some((area) => counts(area, wait))) return;
    const isReason = ({ kind, drawn }: Moment) =>
      kind === "resized" || kind === "drawn" && counts(drawn, wait);
    if (this.#screen.between(first + 1, this.#screen.now).some(isReason)) return;
    this.#fail(each, "saw a change where there was none");
  }

  /**
   * What was reported until it has looked twice is a change. Later, what differs from all that can be remembered, while
   * nothing goes on any more, was missed.
   */
  #checkNoChange(each: Each, wait: DisplayWait): void {
    const { polled, remembered } = this.server.askers.of(each.number);
    const [, first, second] = polled;
    if (first === undefined || second === undefined || remembered === undefined) return;
    if (this.#hasReported(first, second, wait)) this.#fail(each, "has missed an early change");
    const since = this.#screen.between(first + 1, this.#screen.now);
    const drawn = since.find((moment) => moment.kind === "drawn" && counts(moment.drawn, wait));
    if (drawn === undefined || since.some(({ kind }) => kind === "resized")) return;
    const { endedMs } = each.answer!;
    const idle = this.server.activity.longestIdle({ fromMs: drawn.ms, toMs: endedMs });
    if (lengthOf(idle) < IDLE_MS) return;
    const now = this.#screen.moments.findLast(({ ms }) => ms <= idle.fromMs)!;
    const before = this.#screen.between(first, remembered);
    const isNew = (pixel: number, index: number) => {
      const { width } = now.size;
      const at = { x: index % width, y: Math.floor(index / width), width: 1, height: 1 };
      return counts(at, wait) && before.every(({ pixels }) => pixels[index] !== pixel);
    };
    if (now.pixels.some(isNew)) this.#fail(each, "has missed a change");
  }

  /** Whether something that counts is certainly reported from one poll to the next. */
  #hasReported(first: number, second: number, wait: DisplayWait): boolean {
    const moments = this.#screen.between(first, second);
    const [before, ...since] = moments;
    if (since.some(({ kind }) => kind === "resized")) return false;
    const isCounted = ({ drawn }: Moment) => counts(drawn, wait);
    if (this.server.source === "events") return since.some(isCounted);
    const { width } = before!.size;
    const now = moments.at(-1)!.pixels;
    return before!.pixels.some((pixel, index) => {
      const at = { x: index % width, y: Math.floor(index / width), width: 1, height: 1 };
      return now[index] !== pixel && counts(at, wait);
    });
  }

  /** Each pixel was for long enough what it was at the end. */
  #checkStill(each: Each, { stableMs = 0, region, isStrict }: DisplayWait): void {
    const { startedMs, answer } = each;
    const { endedMs } = answer!;
    if (endedMs - startedMs < stableMs - ROUNDING_MS) this.#fail(each, "was answered too early");
    if (!isStrict) return;
    const moments = this.#between(each);
    const width = Math.min(...moments.map(({ size }) => size.width));
    const height = Math.min(...moments.map(({ size }) => size.height));
    const { x, y, ...size } = region ?? { x: 0, y: 0, width, height };
    for (let row = y; row < Math.min(height, y + size.height); row++) {
      for (let column = x; column < Math.min(width, x + size.width); column++) {
        const at = { x: column, y: row, width: 1, height: 1 };
        if (!moments.slice(1).some(({ drawn }) => isIn(at, drawn))) continue;
        const longest = longestSame(moments, at, { fromMs: startedMs, toMs: endedMs });
        if (longest < stableMs - ROUNDING_MS) this.#fail(each, "found a screen still that was not");
      }
    }
  }

  /** Nothing was drawn for longer than that. */
  #checkNotStill(each: Each, { stableMs = 0 }: DisplayWait): void {
    const { endedMs } = each.answer!;
    const [, ...since] = this.#between(each);
    const fromMs = Math.max(each.startedMs, since.at(-1)?.ms ?? 0);
    const idle = this.server.activity.longestIdle({ fromMs, toMs: endedMs });
    if (lengthOf(idle) >= stableMs + IDLE_MS) {
      this.#fail(each, "has missed a screen that was still");
    }
  }

  /** It was not so for long while nothing else went on. */
  #checkMissed(each: Each, isSo: (moment: Moment) => boolean): void {
    const { startedMs, answer } = each;
    const period = { fromMs: startedMs, toMs: answer!.endedMs };
    const idle = this.server.activity.longestIdle(period);
    if (lengthOf(idle) < IDLE_MS) return;
    const { moments } = this.#screen;
    const from = Math.max(0, moments.findLastIndex(({ ms }) => ms <= idle.fromMs));
    const to = moments.findLastIndex(({ ms }) => ms <= idle.toMs);
    if (this.#screen.between(from, to).every(isSo)) this.#fail(each, "has missed what was so");
  }

  #checkPicturePlace(each: Each, { isGone }: DisplayWait, { match }: WaitAnswer): void {
    const isSo = isGone
      ? (moment: Moment) => this.#screen.pictureShare(moment) < 1
      : (moment: Moment) => this.#screen.pictureShareAt(moment, match!) >= FOUND_SHARE;
    if (!this.#was(each, isSo)) this.#fail(each, "succeeded, and was never so");
  }

  #was(each: Each, isSo: (moment: Moment) => boolean): boolean {
    return this.#between(each).some(isSo);
  }

  #between({ call }: Each): readonly Moment[] {
    return this.#screen.between(call.from, this.#screen.now);
  }

  #fail(each: Each, what: string): never {
    throw new Error(`${describe(each)} ${what}`);
  }
}

/** Whether a drawing counts for who waits for a change. */
function counts(drawn: Region, { region, ignored = [] }: DisplayWait): boolean {
  for (let y = drawn.y; y < drawn.y + drawn.height; y++) {
    for (let x = drawn.x; x < drawn.x + drawn.width; x++) {
      const at = { x, y, width: 1, height: 1 };
      if ((!region || isIn(at, region)) && !ignored.some((one) => isIn(at, one))) return true;
    }
  }
  return false;
}

/** Whether a pixel is in a region. */
function isIn({ x, y }: Region, region: Region): boolean {
  return x >= region.x && x < region.x + region.width &&
    y >= region.y && y < region.y + region.height;
}

/** The longest time from the first moment to the last at which a pixel had the same colour. */
function longestSame(moments: readonly Moment[], { x, y }: Region, period: Period): number {
  const seen = new Map<number, number>();
  let longest = 0;
  for (const [index, { ms, size, pixels }] of moments.entries()) {
    const colour = pixels[y * size.width + x]!;
    const fromMs = Math.max(period.fromMs, ms);
    const toMs = Math.min(period.toMs, moments[index + 1]?.ms ?? Infinity);
    if (!seen.has(colour)) seen.set(colour, fromMs);
    longest = Math.max(longest, toMs - seen.get(colour)!);
  }
  return longest;
}

function lengthOf({ fromMs, toMs }: Period): number {
  return toMs - fromMs;
}
