/** Converts between points, which span all displays of a Mac, and pixels of one of them. */

import type { Point, Region } from "../../types/mod.ts";
import type { Placement } from "../placement.ts";

export function toPixels({ x, y, width, height }: Region, placement: Placement): Region {
  const { scale } = placement;
  return {
    x: Math.round((x - placement.x) * scale),
    y: Math.round((y - placement.y) * scale),
    width: Math.round(width * scale),
    height: Math.round(height * scale),
  };
}

export function toPoints({ x, y }: Point, placement: Placement): Point {
  const { scale } = placement;
  return { x: x / scale + placement.x, y: y / scale + placement.y };
}
