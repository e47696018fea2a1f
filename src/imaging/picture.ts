/** The pixel format that all files of this folder use. */

import type { Size } from "../core/geometry.ts";

/** Rows of pixels, top row first, no padding. */
export interface Picture extends Size {
  /** One number per pixel, `0xRRGGBB`; the highest byte is undefined. */
  readonly pixels: Uint32Array;
}
