/** Finds where a picture differs from the previous one. */

import type { Region, Size } from "../core/geometry.ts";
import type { Picture } from "./picture.ts";

/** Changes are reported in squares with this edge, in pixels. */
const TILE = 64;
const COLOUR = 0xffffff;

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
    const areas = changedAreas(last.pixels, { width, height, pixels });
    if (areas.length > 0) last.pixels.set(pixels);
    return areas;
  }
}

function changedAreas(before: Uint32Array, now: Picture): Region[] {
  const { width, height } = now;
  const done: Region[] = [];
  let open: Region[] = [];
  for (let y = 0; y < height; y += TILE) {
    const rows = Math.min(TILE, height - y);
    const runs = changedRuns(before, now, { y, rows });
    const next = runs.map(({ from, to }): Region => {
      const area = { x: from, y, width: Math.min(to, width) - from, height: rows };
      const above = open.find((each) => each.x === area.x && each.width === area.width);
      if (above === undefined) return area;
      open = open.filter((each) => each !== above);
      return { ...above, height: above.height + rows };
    });
    done.push(...open);
    open = next;
  }
  return [...done, ...open];
}

/** Adjacent tiles that differ, joined into one run from left to right. */
function changedRuns(
  before: Uint32Array,
  now: Picture,
  row: { readonly y: number; readonly rows: number },
): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (let x = 0; x < now.width; x += TILE) {
    if (!differs(before, now, { x, ...row })) continue;
    const last = runs.at(-1);
    if (last?.to === x) last.to = x + TILE;
    else runs.push({ from: x, to: x + TILE });
  }
  return runs;
}

function differs(
  before: Uint32Array,
  { width, pixels }: Picture,
  { x, y, rows }: { readonly x: number; readonly y: number; readonly rows: number },
): boolean {
  const columns = Math.min(TILE, width - x);
  for (let row = 0; row < rows; row++) {
    const start = (y + row) * width + x;
    for (let at = start; at < start + columns; at++) {
      if (((before[at]! ^ pixels[at]!) & COLOUR) !== 0) return true;
    }
  }
  return false;
}
