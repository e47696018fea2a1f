/** What lies together in a picture of a page. */

import type { PagePicture, Point } from "./hand.ts";

/** Red, green, blue. */
export type Color = readonly [number, number, number];

/** Pixels from `left` and `top` to before `right` and `bottom`. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Pixels that touch one another. */
export interface Region extends Box {
  /** How many there are. */
  readonly count: number;
}

/** Where pages show the task, and below it what to do that with. */
export const QUERY: Box = { left: 0, top: 0, right: 160, bottom: 50 };
export const AREA: Box = { left: 0, top: 50, right: 160, bottom: 210 };

export function colorAt({ width, height, rgb }: PagePicture, { x, y }: Point): Color {
  if (x < 0 || y < 0 || x >= width || y >= height) return [0, 0, 0];
  const at = 3 * (y * width + x);
  return [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!];
}

/** Whether all parts of two colours differ by little. */
export function isNear(one: Color, other: Color, difference = 12): boolean {
  return one.every((part, at) => Math.abs(part - other[at]!) <= difference);
}

/** Whether little light comes from it. */
export function isDark(color: Color, below = 110): boolean {
  return color.every((part) => part < below);
}

export function middleOf({ left, top, right, bottom }: Box): Point {
  return { x: Math.floor((left + right) / 2), y: Math.floor((top + bottom) / 2) };
}

/** Every pixel of a box, line by line. */
export function* pixelsOf({ left, top, right, bottom }: Box): Generator<Point> {
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) yield { x, y };
  }
}

/** Regions of pixels whose colour fits, in the order of their uppermost lines. */
export function findRegions(
  picture: PagePicture,
  fits: (color: Color) => boolean,
  within: Box,
): readonly Region[] {
  const left = new Map<number, Point>();
  for (const point of pixelsOf(within)) {
    if (fits(colorAt(picture, point))) left.set(point.y * picture.width + point.x, point);
  }
  const regions: Region[] = [];
  for (const [key, point] of left) {
    left.delete(key);
    const found = [point];
    for (const { x, y } of found) {
      for (const near of pixelsOf({ left: x - 1, top: y - 1, right: x + 2, bottom: y + 2 })) {
        if (left.delete(near.y * picture.width + near.x)) found.push(near);
      }
    }
    regions.push({ ...boxAround(found)!, count: found.length });
  }
  return regions;
}

export function boxAround(points: readonly Point[]): Box | undefined {
  if (points.length === 0) return undefined;
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x + 1);
    box.bottom = Math.max(box.bottom, y + 1);
  }
  return box;
}
