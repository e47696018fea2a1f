/** Places of elements in pages that do not know where their window is. */

import type { ElementOnScreen, Point, Region } from "../../platform/types/mod.ts";

/** The widest part of a window beside its page, in pixels: an edge, on both sides together. */
const WIDEST_EDGES = 120;

/**
 * The browser's own controls are above the page; the edges at the sides and below have the same
 * width.
 * @param bounds of the window
 * @returns `undefined` when the page does not fit into that window
 */
export function placeInWindow(
  told: ElementOnScreen,
  bounds: Region,
): ElementOnScreen | undefined {
  const { viewport, area, middle } = told;
  const edges = bounds.width - viewport.width;
  const edge = Math.round(edges / 2);
  if (edges < -1 || edges > WIDEST_EDGES || viewport.height > bounds.height + 1) return undefined;
  const shift = {
    x: bounds.x + edge - viewport.x,
    y: bounds.y + bounds.height - edge - viewport.height - viewport.y,
  };
  return {
    ...told,
    viewport: moved(viewport, shift),
    area: moved(area, shift),
    middle: moved(middle, shift),
  };
}

function moved<T extends Point>(place: T, { x, y }: Point): T {
  return { ...place, x: place.x + x, y: place.y + y };
}
