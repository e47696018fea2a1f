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
/** How long a turn may take to be seen on a busy computer, before nothing more is expected. */
const TURN_MS = 2_000;
const AGAIN_MS = 30;
/** Between two pictures that must be the same when nothing moves any more. */
const STILL_MS = 120; // more than between two steps of a smooth turn
/** The same where what follows depends on it. */
const SETTLED_MS = 500;
/** Less than this of two pictures cannot tell that they overlap. */
const MIN_OVERLAP = 12;
/** What else is visible of what is shown, by default. */
const AROUND = 24;

/** Looks at all that is in a box step by step: on Wayland, a notch of the wheel goes on by more than the box shows. */
export async function unroll(hand: Hand, box: Box): Promise<ScrolledBox> {
  let view = await takeStill(hand, box);
  let whole = view;
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const next = await takeStepped(hand, { box, view }, false);
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
  let view = await takeStill(hand, box);
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const y = point.y - findTop(dark, view);
    const missing = y < around ? around - y : Math.min(0, height - around - y);
    const next = missing === 0
      ? await takeStill(hand, box, SETTLED_MS)
      : Math.abs(missing) > ONE_NOTCH
      ? await takeTurned(hand, { box, view }, Math.trunc(missing / ONE_NOTCH))
      : await takeStepped(hand, { box, view }, missing > 0);
    const isStill = isSame(view, next);
    view = next;
    if (isStill) break; // it is there, or goes no further
  }
  return { x: point.x, y: box.top + point.y - findTop(dark, view) };
}

/** A box, and how it was seen last. */
interface Seen {
  readonly box: Box;
  readonly view: PagePicture;
}

async function takeTurned(hand: Hand, seen: Seen, notches: number): Promise<PagePicture> {
  const { top, bottom } = seen.box;
  await hand.scroll({ x: SCROLL_BAR, y: Math.floor((top + bottom) / 2) }, notches);
  return await takeMoved(hand, seen);
}

/** By a click on an arrow of the scroll bar: by less than a notch of the wheel. */
async function takeStepped(hand: Hand, seen: Seen, up: boolean): Promise<PagePicture> {
  const { top, bottom } = seen.box;
  await hand.click({ x: SCROLL_BAR, y: up ? top + ARROW : bottom - ARROW });
  return await takeMoved(hand, seen);
}

/** A picture of the box once it has moved, or will not any more. */
async function takeMoved(hand: Hand, { box, view }: Seen): Promise<PagePicture> {
  const end = performance.now() + TURN_MS;
  while (isSame(await takePicture(hand, box), view) && performance.now() < end) {
    await wait(AGAIN_MS);
  }
  return await takeStill(hand, box);
}

/** A picture of the box when nothing moves in it any more. */
async function takeStill(hand: Hand, box: Box, stillMs = STILL_MS): Promise<PagePicture> {
  let last = await takePicture(hand, box);
  for (let attempt = 0; attempt < MAX_TURNS; attempt++) {
    await wait(stillMs);
    const next = await takePicture(hand, box);
    if (isSame(next, last)) break;
    last = next;
  }
  return last;
}

/** The rows of the box, up to its right edge. */
function takePicture(hand: Hand, { top, right, bottom }: Box): Promise<PagePicture> {
  return hand.picture({ x: 0, y: top, width: right, height: bottom - top });
}

function isSame(one: PagePicture, other: PagePicture): boolean {
  return one.rgb.every((part, at) => part === other.rgb[at]);
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

function cutRows({ width, height, rgb }: PagePicture, from: number): PagePicture {
  return { width, height: height - from, rgb: rgb.slice(3 * width * from) };
}

function joinBelow(above: PagePicture, below: PagePicture): PagePicture {
  const rgb = new Uint8Array(above.rgb.length + below.rgb.length);
  rgb.set(above.rgb);
  rgb.set(below.rgb, above.rgb.length);
  return { width: above.width, height: above.height + below.height, rgb };
}
