/** Finds where a picture differs from the previous one. */

import type { Region, Size } from "../core/geometry.ts";
import { changedBox, joinAreas } from "./boxes.ts";
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
}
