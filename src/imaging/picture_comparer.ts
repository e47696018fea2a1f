/** Finds where a picture differs from the previous one, and whether others show the same as that. */

import type { Region, Size } from "../core/geometry.ts";
import { changedBox, contains, joinAreas } from "./boxes.ts";
import type { Picture } from "./picture.ts";

/** Each of these bands has a box of its own, so that changes far apart do not become one. */
const BAND_ROWS = 64;

export class PictureComparer {
  #last: { readonly size: Size; readonly pixels: Uint32Array } | undefined;

  /**
   * The areas that differ from the last picture, which this one then replaces: none for the first
   * picture, everything after a change of size.
   */
  compare({ width, height, pixels }: Picture): Region[] {
    const last = this.#last;
    if (last?.size.width !== width || last.size.height !== height) {
      this.#last = { size: { width, height }, pixels: pixels.slice() };
      return last === undefined ? [] : [{ x: 0, y: 0, width, height }];
    }
    const boxes: Region[] = [];
    for (let y = 0; y < height; y += BAND_ROWS) {
      const area = { x: 0, y, width, height: Math.min(BAND_ROWS, height - y) };
      const before = (row: number) => last.pixels.subarray((y + row) * width);
      const box = changedBox({ ...area, pixels: pixels.subarray(y * width) }, before, { area });
      if (box !== undefined) boxes.push(box);
    }
    if (boxes.length > 0) last.pixels.set(pixels);
    return joinAreas(boxes);
  }

  /** Whether the last picture has the colours of this sum in the region; see {@link sumOf}. */
  shows({ x, y, width, height }: Region, sum: number): boolean {
    const last = this.#last;
    if (last === undefined) return false;
    if (!contains({ x: 0, y: 0, ...last.size }, { x, y, width, height })) return false;
    const rowAt = (row: number) => {
      const start = (y + row) * last.size.width + x;
      return last.pixels.subarray(start, start + width);
    };
    return sumRows(rowAt, height) === sum;
  }
}

/** A number for the colours of a picture; another picture of this size has it once in 2^53 times. */
export function sumOf({ width, height, pixels }: Picture): number {
  return sumRows((row) => pixels.subarray(row * width, (row + 1) * width), height);
}

const COLOUR = 0xffffff;
/** How many bits of the second number fit beside all 32 of the first. */
const MORE_BITS = 21;

/** Two hashes at once: FNV-1a by words, and one of another factor. */
function sumRows(rowAt: (row: number) => Uint32Array, height: number): number {
  let [one, other] = [0x811c9dc5, 0];
  for (let row = 0; row < height; row++) {
    for (const pixel of rowAt(row)) {
      one = Math.imul(one ^ (pixel & COLOUR), 0x01000193);
      other = Math.imul(other ^ (pixel & COLOUR), 0x85ebca6b);
      other ^= other >>> 15;
    }
  }
  return (one >>> 0) * 2 ** MORE_BITS + (other >>> (32 - MORE_BITS));
}
