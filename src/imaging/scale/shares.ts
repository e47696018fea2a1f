/** Computes which pixels of a picture make up each pixel of a smaller one, and with what weight. */

import type { Point, Region, Size } from "../../core/geometry.ts";

/** The part `window` of a whole that is scaled from the size `from` to the size `to`. */
export interface Scaling {
  readonly from: Size;
  readonly to: Size;
  readonly window: Region;
}

/** The part of the unscaled whole that the window needs. */
export function sourceRegion({ from, to, window }: Scaling): Region {
  const x = Math.floor(window.x * from.width / to.width);
  const y = Math.floor(window.y * from.height / to.height);
  const right = Math.ceil((window.x + window.width) * from.width / to.width);
  const bottom = Math.ceil((window.y + window.height) * from.height / to.height);
  return { x, y, width: right - x, height: bottom - y };
}

/** How to combine pixels along both axes. */
export interface Axes {
  readonly columns: Shares;
  readonly rows: Shares;
  /** The first available pixel, in coordinates of the unscaled whole. */
  readonly offset: Point;
  /** The sum of the products of all weights of one result. */
  readonly total: number;
}

/**
 * Which unscaled pixels make up each scaled pixel: those from `starts[n]` to `starts[n + 1]` make
 * up the n-th.
 */
export interface Shares {
  readonly starts: Int32Array;
  readonly indexes: Int32Array;
  /** In units of a pixel divided into `to` parts; the weights of one result add up to `from`. */
  readonly weights: Int32Array;
}

/** How to combine the pixels of a picture of the scaling's {@link sourceRegion}. */
export function planAxes(scaling: Scaling): Axes {
  const { from, to, window } = scaling;
  const { x, y } = sourceRegion(scaling);
  return {
    columns: shareOut(from.width, to.width, { first: window.x, count: window.width }),
    rows: shareOut(from.height, to.height, { first: window.y, count: window.height }),
    offset: { x, y },
    total: from.width * from.height,
  };
}

function shareOut(from: number, to: number, part: { first: number; count: number }): Shares {
  const starts: number[] = [0];
  const indexes: number[] = [];
  const weights: number[] = [];
  for (let n = part.first; n < part.first + part.count; n++) {
    const [begin, end] = [n * from, (n + 1) * from];
    for (let index = Math.floor(begin / to); index * to < end; index++) {
      indexes.push(index);
      weights.push(Math.min(end, (index + 1) * to) - Math.max(begin, index * to));
    }
    starts.push(indexes.length);
  }
  return {
    starts: Int32Array.from(starts),
    indexes: Int32Array.from(indexes),
    weights: Int32Array.from(weights),
  };
}
