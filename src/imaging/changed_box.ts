/** Finds where a region has changed. */

import type { Region } from "../core/geometry.ts";
import type { Picture } from "./picture.ts";
import { type RegionPicture, rowAt } from "./region_pictures.ts";

/** The bounding box of all pixels that differ in the area, except those in the holes. */
export function changedBox(
  now: Picture,
  before: RegionPicture,
  { area, holes }: { area: Region; holes: readonly Region[] },
): Region | undefined {
  let left = now.width, right = -1, top = -1, bottom = -1;
  for (let row = 0, at = 0; row < now.height; row++) {
    const old = rowAt(before, area.y - before.region.y + row);
    let oldAt = area.x - before.region.x;
    for (let column = 0; column < now.width; column++, at++, oldAt++) {
      if (((now.pixels[at]! ^ old[oldAt]!) & 0xffffff) === 0) continue;
      const hole = holes.length === 0 ? undefined : findHole(holes, area.x + column, area.y + row);
      if (hole !== undefined) { // continues at its last column
        const skipped = Math.min(hole.x + hole.width - area.x, now.width) - column - 1;
        [column, at, oldAt] = [column + skipped, at + skipped, oldAt + skipped];
        continue;
      }
      if (column < left) left = column;
      if (column > right) right = column;
      if (top < 0) top = row;
      bottom = row;
    }
  }
  if (top < 0) return undefined;
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

function findHole(holes: readonly Region[], x: number, y: number): Region | undefined {
  return holes.find((hole) =>
    x >= hole.x && x < hole.x + hole.width && y >= hole.y && y < hole.y + hole.height
  );
}
