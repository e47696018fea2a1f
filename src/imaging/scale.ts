/**
 * Scales down by area averaging: every pixel of the result is the mean of the area that it covers,
 * so that text stays readable.
 */

import type { Region, Size } from "../core/geometry.ts";
import type { Picture } from "./picture.ts";

/**
 * Scales a picture of the scaling's {@link sourceRegion}: each mean is rounded once. First combines
 * the rows that make up a line, then the columns of that line.
 */
export function scaleDown(picture: Picture, scaling: Scaling): Picture {
  const { from, to, window } = scaling;
  const { width, height } = window;
  const { x, y } = sourceRegion(scaling);
  const across = shareOut(from.width, to.width, { first: window.x, count: width, offset: x });
  const down = shareOut(from.height, to.height, { first: window.y, count: height, offset: y });
  const pixels = new Uint32Array(width * height);
  const [red, green, blue] = [0, 1, 2].map(() => new Int32Array(picture.width));
  const line = { red: red!, green: green!, blue: blue! };
  for (let row = 0, share = 0; row < height; row++) {
    for (const sums of Object.values(line)) sums.fill(0);
    for (; share < down.starts[row + 1]!; share++) {
      addRow(line, picture, { row: down.indexes[share]!, weight: down.weights[share]! });
    }
    const result = pixels.subarray(row * width, (row + 1) * width);
    mixColumns(result, line, { across, total: across.whole * down.whole });
  }
  return { width, height, pixels };
}

/** The weighted sum of some rows, by colour: at most 255 times the height of a picture. */
interface Line {
  readonly red: Int32Array;
  readonly green: Int32Array;
  readonly blue: Int32Array;
}

function addRow(
  { red, green, blue }: Line,
  { pixels, width }: Picture,
  { row, weight }: { readonly row: number; readonly weight: number },
): void {
  for (let column = 0, at = row * width; column < width; column++, at++) {
    const pixel = pixels[at]!;
    red[column]! += Math.imul(pixel >>> 16 & 255, weight);
    green[column]! += Math.imul(pixel >>> 8 & 255, weight);
    blue[column]! += Math.imul(pixel & 255, weight);
  }
}

function mixColumns(
  result: Uint32Array,
  { red, green, blue }: Line,
  { across: { starts, indexes, weights }, total }: { across: Shares; total: number },
): void {
  const part = 1 / total;
  const half = 0.5 + 1e-9; // rounds halves up, despite the imprecision of the division
  for (let column = 0, share = 0; column < result.length; column++) {
    let r = 0, g = 0, b = 0;
    let at = indexes[share]!; // the pixels of one result are adjacent
    for (; share < starts[column + 1]!; share++, at++) {
      const weight = weights[share]!;
      r += red[at]! * weight;
      g += green[at]! * weight;
      b += blue[at]! * weight;
    }
    result[column] = (r * part + half) << 16 | (g * part + half) << 8 | (b * part + half);
  }
}

// Computes which pixels of a picture make up each pixel of a smaller one, and with what weight.

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

/**
 * Which unscaled pixels make up each scaled pixel: those from `starts[n]` to `starts[n + 1]` make
 * up the n-th.
 */
interface Shares {
  readonly starts: Int32Array;
  /** Relative to the first available pixel. */
  readonly indexes: Int32Array;
  readonly weights: Int32Array;
  /** The sum of the weights of each result. */
  readonly whole: number;
}

function shareOut(
  from: number,
  to: number,
  { first, count, offset }: { first: number; count: number; offset: number },
): Shares {
  const divisor = greatestDivisor(from, to);
  const starts: number[] = [0];
  const indexes: number[] = [];
  const weights: number[] = [];
  for (let n = first; n < first + count; n++) {
    const [begin, end] = [n * from, (n + 1) * from];
    for (let index = Math.floor(begin / to); index * to < end; index++) {
      indexes.push(index - offset);
      weights.push((Math.min(end, (index + 1) * to) - Math.max(begin, index * to)) / divisor);
    }
    starts.push(indexes.length);
  }
  return {
    starts: Int32Array.from(starts),
    indexes: Int32Array.from(indexes),
    weights: Int32Array.from(weights),
    whole: from / divisor,
  };
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
