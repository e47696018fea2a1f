/**
 * The geometry of an output: its picture in pixels, as people see it, and its place on the desktop in
 * logical units.
 */

import type { Point, Region, Size } from "../../types/mod.ts";

/**
 * `wl_output.transform`: quarter turns counter-clockwise by which the compositor turns what it shows
 * (0 to 3); from 4 on, flipped around the vertical axis before.
 */
export type Transform = number;

export function swapsAxes(transform: Transform): boolean {
  return transform % 2 === 1;
}

export function turnSize({ width, height }: Size, transform: Transform): Size {
  return swapsAxes(transform) ? { width: height, height: width } : { width, height };
}

/** Denominators of scales, the simplest first: people set 1.5, compositors round to 1/120. */
const DENOMINATORS = [1, 2, 4, 5, 8, 10, 20, 100, 120];
/** Compositors round the logical size, some down. */
const ROUNDING = 1;

/** Picture pixels per logical unit: the simplest scale that gives the logical size. */
export function findScale(size: Size, logical: Size): number {
  const exact = size.width / logical.width;
  const fits = (scale: number) =>
    Math.abs(size.width / scale - logical.width) < ROUNDING &&
    Math.abs(size.height / scale - logical.height) < ROUNDING;
  const simple = DENOMINATORS.map((each) => Math.round(exact * each) / each);
  return simple.find((scale) => scale > 0 && fits(scale)) ?? exact;
}

/** The smallest region that surrounds some; for all outputs, the desktop. */
export function surround(regions: readonly Region[]): Region {
  const x = Math.min(...regions.map((each) => each.x));
  const y = Math.min(...regions.map((each) => each.y));
  const right = Math.max(...regions.map((each) => each.x + each.width));
  const bottom = Math.max(...regions.map((each) => each.y + each.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** Where a pixel of the picture is on the desktop: its centre, in logical units. */
export function toLogical({ x, y }: Point, size: Size, logical: Region): Point {
  return {
    x: logical.x + (x + 0.5) * logical.width / size.width,
    y: logical.y + (y + 0.5) * logical.height / size.height,
  };
}

/** The pixel of the picture at a place of the desktop; it can be beside the picture. */
export function toPixel({ x, y }: Point, size: Size, logical: Region): Point {
  return {
    x: Math.floor((x - logical.x) * size.width / logical.width),
    y: Math.floor((y - logical.y) * size.height / logical.height),
  };
}
