/** Pixels of an output in KWin's coordinates, and back. */

import type { Point } from "../../../../core/geometry.ts";
import { toLogical, toPixel } from "../output_geometry.ts";
import type { Output } from "../outputs.ts";

/** The first KWin that gives programs fractions of its units; before, it rounds them. */
const EXACT_VERSION = 6;

type Place = Pick<Output, "size" | "logical" | "scale">;

/**
 * Where to put the cursor for a pixel: its middle, or the unit that contains this.
 * @param version the first number of KWin's version
 */
export function findPlace(pixel: Point, { size, logical, scale }: Place, version: number): Point {
  if (scale === 1) return { x: logical.x + pixel.x, y: logical.y + pixel.y };
  const { x, y } = toLogical(pixel, size, logical);
  return version >= EXACT_VERSION ? { x, y } : { x: Math.floor(x), y: Math.floor(y) };
}

/**
 * The pixel of the cursor, whose place KWin tells in whole units: each can be several pixels.
 * @param target where this service moved it last
 */
export function findPixel(
  place: Point,
  output: Place,
  { target, version }: { readonly target: Point | undefined; readonly version: number },
): Point {
  if (target !== undefined) {
    const { x, y } = findPlace(target, output, version);
    if (Math.abs(x - place.x) < 1 && Math.abs(y - place.y) < 1) return target;
  }
  return toPixel(place, output.size, output.logical);
}
