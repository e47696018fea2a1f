/**
 * The size to which Qwen2.5-VL and the models made from it (UI-TARS 1.5) scale a picture before they
 * look at it; their coordinates are pixels of that size. From Qwen's published image processor.
 */

import type { Size } from "../../core/geometry.ts";

/** Side of a patch of the picture, in pixels: both sides become multiples of it. */
const FACTOR = 28;

/** Bounds of the area in pixels, as the model is served with. */
export interface PixelBounds {
  readonly minPixels: number;
  readonly maxPixels: number;
}

export const DEFAULT_PIXEL_BOUNDS: PixelBounds = {
  minPixels: 4 * FACTOR * FACTOR,
  maxPixels: 16_384 * FACTOR * FACTOR,
};

export function smartResize(
  { width, height }: Size,
  { minPixels, maxPixels }: PixelBounds = DEFAULT_PIXEL_BOUNDS,
): Size {
  const scaled = (round: (value: number) => number, scale: number): Size => ({
    width: Math.max(FACTOR, round(width * scale / FACTOR) * FACTOR),
    height: Math.max(FACTOR, round(height * scale / FACTOR) * FACTOR),
  });
  const nearest = scaled(roundToEven, 1);
  const area = nearest.width * nearest.height;
  if (area > maxPixels) return scaled(Math.floor, Math.sqrt(maxPixels / (width * height)));
  if (area < minPixels) return scaled(Math.ceil, Math.sqrt(minPixels / (width * height)));
  return nearest;
}

/** As Python's `round`: of two equally near integers the even one. */
function roundToEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
