/** The position of a display in the coordinates that span all displays. */

import type { Region, Size } from "../types/mod.ts";

/** In points, which span all displays; the origin is the primary display's top left corner. */
export interface Placement extends Region {
  /** Pixels per point: 2 on a Retina display. */
  readonly scale: number;
}

/** The API counts pixels, as on every system. */
export function sizeInPixels({ width, height, scale }: Placement): Size {
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
