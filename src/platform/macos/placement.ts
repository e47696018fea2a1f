/** Where a display is among all displays. */

import type { Region, Size } from "../types/mod.ts";

/** In points of all displays together; the primary one is at 0,0. */
export interface Placement extends Region {
  /** Pixels per point: 2 on a Retina display. */
  readonly scale: number;
}

/** The coordinates of the interface are pixels, as everywhere. */
export function sizeInPixels({ width, height, scale }: Placement): Size {
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
