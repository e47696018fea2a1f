/** A box that scrolls, seen as a whole: for what has no ref, and may lie out of sight. */

import { setTimeout as wait } from "node:timers/promises";
import type { Hand, PagePicture, Point } from "./hand.ts";
import { type Box, colorAt, isDark, pixelsOf } from "./regions.ts";

export interface ScrolledBox {
  /** What is in it, from where it stood at first to its end; as wide as the page to the left of its right edge. */
  readonly picture: PagePicture;
  /**
   * Scrolls until a point of the picture is visible, and gives where that is on the page.
   * @param around so many pixels above and below it shall be visible, too
   */
  show(point: Point, around?: number): Promise<Point>;
}

/** Where boxes have their scroll bars, over which the mouse highlights nothing in the box. */
const SCROLL_BAR = 151;
/** How far the arrows of the scroll bar are from its ends. */
const ARROW = 9;
/** About so many pixels a notch of the wheel scrolls. */
const ONE_NOTCH = 100;
const MAX_TURNS = 40;
/** Before a turn of the wheel is seen, and between two pictures that must be the same then. */
const TURN_MS = 150;
const STILL_MS = 120; // more than between two steps of a smooth turn on a busy computer
const LATE_MS = 500;
/** Less than this of two pictures cannot tell that they overlap. */
const MIN_OVERLAP = 12;
/** What else is visible of what is shown, by default. */
const AROUND = 24;

/** Looks at all that is in a box step by step: on Wayland, a notch of the wheel goes on by more than the box shows. */
export async function unroll(hand: Hand, box: Box): Promise<ScrolledBox> {
  let view = await takeStill(hand, box);
  let whole = view;
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    let next = await takeStepped(hand, box, false);
    if (findMove(view, next) === 0) next = await takeLate(hand, box);
    const moved = findMove(view, next);
    if (moved === 0) break;
    whole = joinBelow(whole, cutRows(next, next.height - moved));
    view = next;
  }
  const dark = darkOf(whole);
  return {
    picture: whole,
    show: (point, around = AROUND) => show(hand, { box, dark, point, around }),
  };
}

async function show(
  hand: Hand,
  { box, dark, point, around }: {
    readonly box: Box;
    /** Of the whole. */
    readonly dark: Uint8Array;
    readonly point: Point;
    readonly around: number;
  },
): Promise<Point> {
  const height = box.bottom - box.top;
  let top = findTop(dark, await takeStill(hand, box));
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const y = point.y - top;
    const missing = y < around ? around - y : Math.min(0, height - around - y);
    if (missing === 0) break;
    const last = top;
    top = findTop(
      dark,
      Math.abs(missing) > ONE_NOTCH
        ? await takeTurned(hand, box, Math.trunc(missing / ONE_NOTCH))
        : await takeStepped(hand, box, missing > 0),
    );
    if (top === last) top = findTop(dark, await takeLate(hand, box));
    if (top === last) break; // it goes no further
  }
  return { x: point.x, y: box.top + point.y - top };
}

async function takeTurned(hand: Hand, box: Box, notches: number): Promise<PagePicture> {
  await hand.scroll({ x: SCROLL_BAR, y: Math.floor((box.top + box.bottom) / 2) }, notches);
  await wait(TURN_MS);
  return await takeStill(hand, box);
}

/** By a click on an arrow of the scroll bar: by less than a notch of the wheel. */
async function takeStepped(hand: Hand, box: Box, up: boolean): Promise<PagePicture> {
  await hand.click({ x: SCROLL_BAR, y: up ? box.top + ARROW : box.bottom - ARROW });
  await wait(TURN_MS);
  return await takeStill(hand, box);
}

/** After a turn that has moved nothing yet, on a busy computer. */
async function takeLate(hand: Hand, box: Box): Promise<PagePicture> {
  await wait(LATE_MS);
  return await takeStill(hand, box);
}

/** A picture of the box when nothing moves in it any more. */
async function takeStill(hand: Hand, box: Box): Promise<PagePicture> {
  let last = cut(await hand.picture(), box);
  for (let attempt = 0; attempt < MAX_TURNS; attempt++) {
    await wait(STILL_MS);
    const next = cut(await hand.picture(), box);
    if (next.rgb.every((part, at) => part === last.rgb[at])) break;
    last = next;
  }
  return last;
}

// Pictures that overlap, compared by what is dark: letters.

/** By how many rows a picture shows later content; 0 where none has moved. */
function findMove(before: PagePicture, after: PagePicture): number {
  const [old, now] = [darkOf(before), darkOf(after)];
  let best = { rows: 0, share: Infinity };
  for (let rows = 0; rows <= before.height - MIN_OVERLAP; rows++) {
    const start = rows * before.width;
    const share = countDifferent(old.subarray(start), now) / (old.length - start);
    if (share === 0) return rows;
    if (share < best.share) best = { rows, share };
  }
  return best.rows;
}

/** The row of the whole at which a part of it begins. */
function findTop(dark: Uint8Array, part: PagePicture): number {
  const some = darkOf(part);
  let best = { row: 0, different: Infinity };
  for (let at = 0; at + some.length <= dark.length; at += part.width) {
    const different = countDifferent(dark.subarray(at), some, best.different);
    if (different < best.different) best = { row: at / part.width, different };
  }
  return best.row;
}

function darkOf(picture: PagePicture): Uint8Array {
  const box = { left: 0, top: 0, right: picture.width, bottom: picture.height };
  return Uint8Array.from(pixelsOf(box), (point) => isDark(colorAt(picture, point), 130) ? 1 : 0);
}

/** As far as both go, and up to a number. */
function countDifferent(one: Uint8Array, other: Uint8Array, max = Infinity): number {
  let count = 0;
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length && count < max; at++) if (one[at] !== other[at]) count++;
  return count;
}

/** The rows of the box, up to its right edge. */
function cut({ width, rgb }: PagePicture, { top, right, bottom }: Box): PagePicture {
  const rows = new Uint8Array(3 * right * (bottom - top));
  for (let y = top; y < bottom; y++) {
    const start = 3 * y * width;
    rows.set(rgb.subarray(start, start + 3 * right), 3 * right * (y - top));
  }
  return { width: right, height: bottom - top, rgb: rows };
}

function cutRows({ width, height, rgb }: PagePicture, from: number): PagePicture {
  return { width, height: height - from, rgb: rgb.slice(3 * width * from) };
}

function joinBelow(above: PagePicture, below: PagePicture): PagePicture {
  const rgb = new Uint8Array(above.rgb.length + below.rgb.length);
  rgb.set(above.rgb);
  rgb.set(below.rgb, above.rgb.length);
  return { width: above.width, height: above.height + below.height, rgb };
}
