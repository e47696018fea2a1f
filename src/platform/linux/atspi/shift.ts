/**
 * How far the places that programs tell are from where they show: GTK 4 counts from the corner of its
 * window, and LibreOffice puts what is below its menu bar where that bar is.
 */

import type { Point, Region } from "../../../core/geometry.ts";
import type { KnownWindow } from "./jobs.ts";
import type { Toolkit } from "./toolkit.ts";

export const NO_SHIFT: Point = { x: 0, y: 0 };

/** @param extents of the top element, as its program says them */
export function shiftOfWindow(
  extents: Region | undefined,
  { isGtk4 }: Toolkit,
  window: KnownWindow | undefined,
): Point {
  if (!isGtk4 || extents === undefined || !window?.bounds) return NO_SHIFT;
  const { bounds, frame } = window;
  const same = [frame, bounds].find((each) => each && isSameSize(each, extents));
  if (same) return difference(same, extents);
  const margin = { // a shadow or an edge of the same width on both sides
    x: bounds.x + Math.round((bounds.width - extents.width) / 2),
    y: bounds.y + Math.round((bounds.height - extents.height) / 2),
  };
  return difference(margin, extents);
}

/** What is added to the shift of the parent. */
export function shiftInside(
  extents: Region | undefined,
  { isLibreOffice }: Toolkit,
  parent: Region | undefined,
): Point {
  if (!isLibreOffice || !extents || !parent || !isSameSize(parent, extents)) return NO_SHIFT;
  return difference(parent, extents); // it fills the parent
}

export function addShift(a: Point, b: Point): Point {
  return b.x === 0 && b.y === 0 ? a : { x: a.x + b.x, y: a.y + b.y };
}

export function moved(region: Region, { x, y }: Point): Region {
  return x === 0 && y === 0 ? region : { ...region, x: region.x + x, y: region.y + y };
}

function isSameSize(a: Region, b: Region): boolean {
  return Math.abs(a.width - b.width) <= 1 && Math.abs(a.height - b.height) <= 1;
}

function difference(a: Point, b: Point): Point {
  return { x: a.x - b.x, y: a.y - b.y };
}
