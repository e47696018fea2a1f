/** Scaling down by area averaging: every pixel of the result is the mean of all that it covers, so that text stays readable. */

import type { Point, Region, Size } from "../core/geometry.ts";
import type { Picture } from "./picture.ts";
import { scaleFast } from "./scale_fast.ts";
import { scaleToTwoThirds } from "./scale_two_thirds.ts";

/** The part `window` of a whole that has the size `to` after scaling and had the size `from` before. */
export interface Scaling {
  readonly from: Size;
  readonly to: Size;
  readonly window: Region;
}

/** The part of the whole, before scaling, that the window needs. */
export function sourceOf({ from, to, window }: Scaling): Region {
  const x = Math.floor(window.x * from.width / to.width);
  const y = Math.floor(window.y * from.height / to.height);
  const right = Math.ceil((window.x + window.width) * from.width / to.width);
  const bottom = Math.ceil((window.y + window.height) * from.height / to.height);
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * Scales a picture of {@link sourceOf} the scaling: exactly, in whole numbers, each mean rounded once;
 * down to a quarter a faster way, which is off by about one level of 255 at most.
 */
export function scaleDown(picture: Picture, scaling: Scaling): Picture {
  const { from, to, window } = scaling;
  const source = sourceOf(scaling);
  const axes = {
    columns: sharesOf(from.width, to.width, { first: window.x, count: window.width }),
    rows: sharesOf(from.height, to.height, { first: window.y, count: window.height }),
    offset: { x: source.x, y: source.y },
    total: from.width * from.height,
  };
  if (isTwoThirds(scaling)) {
    return isInBlocks(window) ? scaleToTwoThirds(picture) : scaleExactly(picture, axes);
  }
  const isSmallStep = from.width <= MAX_FAST * to.width && from.height <= MAX_FAST * to.height;
  return isSmallStep ? scaleFast(picture, axes) : scaleExactly(picture, axes);
}

/** Full HD to 1280x720. Parts must be the whole's own pixels, and both of these ways are exact. */
function isTwoThirds({ from, to }: Scaling): boolean {
  return from.width * 2 === to.width * 3 && from.height * 2 === to.height * 3;
}

function isInBlocks({ x, y, width, height }: Region): boolean {
  return (x | y | width | height) % 2 === 0;
}

/** Shares of the fast way are bytes: of more pixels they would be too rough. */
const MAX_FAST = 4;

/** How a picture is mixed together. */
export interface Axes {
  readonly columns: Shares;
  readonly rows: Shares;
  /** The first pixel of the picture that there is, in the whole before scaling. */
  readonly offset: Point;
  /** What the products of all shares of one result add up to. */
  readonly total: number;
}

function scaleExactly(picture: Picture, { columns, rows, offset, total }: Axes): Picture {
  const width = columns.starts.length - 1;
  const height = rows.starts.length - 1;
  const sums = new Float64Array(picture.width * 3);
  const pixels = new Uint32Array(width * height);
  for (let row = 0; row < height; row++) {
    sums.fill(0);
    for (let share = rows.starts[row]!; share < rows.starts[row + 1]!; share++) {
      addRow(sums, picture, rows.indexes[share]! - offset.y, rows.weights[share]!);
    }
    const line = pixels.subarray(row * width, (row + 1) * width);
    mixColumns(sums, line, { columns, offset: offset.x, total });
  }
  return { width, height, pixels };
}

/** Which pixels before scaling make up each pixel after it: those from `starts[n]` to `starts[n + 1]` make up the n-th. */
export interface Shares {
  readonly starts: Int32Array;
  readonly indexes: Int32Array;
  /** In parts of a pixel cut in `to` pieces; those of one result add up to `from`. */
  readonly weights: Int32Array;
}

function sharesOf(from: number, to: number, part: { first: number; count: number }): Shares {
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

function addRow(sums: Float64Array, picture: Picture, row: number, weight: number): void {
  const { pixels, width } = picture;
  let at = row * width;
  for (let to = 0; to < width * 3; to += 3) {
    const pixel = pixels[at++]!;
    sums[to] = sums[to]! + (pixel >>> 16 & 255) * weight;
    sums[to + 1] = sums[to + 1]! + (pixel >>> 8 & 255) * weight;
    sums[to + 2] = sums[to + 2]! + (pixel & 255) * weight;
  }
}

function mixColumns(
  sums: Float64Array,
  line: Uint32Array,
  { columns, offset, total }: { columns: Shares; offset: number; total: number },
): void {
  const { starts, indexes, weights } = columns;
  const half = 0.5 + 1e-9; // a mean that ends in a half goes up, whatever the division loses
  for (let column = 0; column < line.length; column++) {
    let red = 0, green = 0, blue = 0;
    for (let share = starts[column]!; share < starts[column + 1]!; share++) {
      const at = (indexes[share]! - offset) * 3;
      const weight = weights[share]!;
      red += sums[at]! * weight;
      green += sums[at + 1]! * weight;
      blue += sums[at + 2]! * weight;
    }
    line[column] = (red / total + half) << 16 | (green / total + half) << 8 |
      (blue / total + half);
  }
}
