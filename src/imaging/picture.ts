/** The pixels that every file of this folder works on. */

import type { Size } from "../core/geometry.ts";

/** Rows of pixels, top row first, no padding. */
export interface Picture extends Size {
  /** One number for each pixel, `0xRRGGBB`; the highest byte may hold anything. */
  readonly pixels: Uint32Array;
}
