/**
 * How far the positions that programs report are from those on the display: GTK 4 counts from the
 * corner of its window, as every program does on Wayland, and LibreOffice puts what is below its
 * menu bar where that bar is.
 */

import type { Point, Region } from "../../../core/geometry.ts";
import type { KnownWindow, Origin } from "./jobs.ts";
import type { Toolkit } from "./describe.ts";

export const NO_SHIFT: Point = { x: 0, y: 0 };

/** The widest shadow that a program draws around its window, on both sides together, in pixels. */
const WIDEST_SHADOW = 120;

export interface TopElement {
  /** As its program says them. */
  readonly extents: Region | undefined;
  /** `undefined` where it is not known. */
  readonly window: KnownWindow | undefined;
}

/** `undefined` where nobody says where the window is. */
export function shiftOfWindow(
  { extents, window }: TopElement,
  { toolkit, origin }: { readonly toolkit: Toolkit; readonly origin: Origin },
): Point | undefined {
  if (origin === "display" && !toolkit.isGtk4) return NO_SHIFT;
  if (extents === undefined || !window?.bounds) return undefined;
  const { bounds, frame } = window;
  const same = [frame, bounds].find((each) => each && isSameSize(each, extents));
  if (same) return difference(same, extents);
  const x = bounds.width - extents.width;
  const y = bounds.height - extents.height;
  if (Math.max(Math.abs(x), Math.abs(y)) > WIDEST_SHADOW) return undefined; // in other units
  // a shadow or an edge of the same width on both sides
  const inside = { x: bounds.x + Math.round(x / 2), y: bounds.y + Math.round(y / 2) };
  return difference(inside, extents);
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

export function isSameSize(a: Region, b: Region): boolean {
  return Math.abs(a.width - b.width) <= 1 && Math.abs(a.height - b.height) <= 1;
}

export function isSameBounds(a: Region, b: Region): boolean {
  return isSameSize(a, b) && Math.abs(a.x - b.x) <= 1 && Math.abs(a.y - b.y) <= 1;
}

export function difference(a: Point, b: Point): Point {
  return { x: a.x - b.x, y: a.y - b.y };
}
