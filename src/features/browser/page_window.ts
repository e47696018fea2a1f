/** Finds the window of the display that a page is in. */

import type { Region } from "../../core/geometry.ts";
import type { Display, PageWindow, Window } from "../../platform/types/mod.ts";

/** Pixels by which rounding and shadows move what a browser tells. */
const TOLERANCE = 8;
const SIZE = ["width", "height"] as const;
const ALL = ["x", "y", ...SIZE] as const;

/**
 * By the process, then the place, then the title: a browser can have several windows, and several
 * can have the same place or title.
 * @returns `undefined` where there is none, or more than one that it can be
 */
export function findPageWindow(
  windows: readonly Window[],
  { bounds, title, pid }: PageWindow,
  { origin }: Pick<Display, "origin">,
): Window | undefined {
  const own = windows.filter((each) => pid !== undefined && each.pid === pid);
  const possible = own.length > 0 ? own : windows.filter((each) => !pid || each.pid === null);
  const there = possible.filter((each) => isWhereTold(each, bounds, origin));
  const fits = there.length > 0 ? there : own;
  if (fits.length === 1) return fits[0];
  const named = fits.filter((each) => title !== "" && each.title.startsWith(title));
  return named.length === 1 ? named[0] : undefined;
}

/** Where only the system knows where windows are, the page tells the size alone. */
export function isWhereTold(
  { bounds, frame }: Window,
  wanted: Region,
  origin: Display["origin"],
): boolean {
  const sides = origin === "window" ? SIZE : ALL;
  return [bounds, frame].some((each) =>
    each !== null && sides.every((side) => Math.abs(each[side] - wanted[side]) <= TOLERANCE)
  );
}
