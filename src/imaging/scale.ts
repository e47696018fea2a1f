/**
 * Scales down by area averaging: every pixel of the result is the mean of the area that it covers,
 * so that text stays readable.
 */

import type { Region, Size } from "../core/geometry.ts";
import type { Picture } from "./picture.ts";

/**
 * Scales a picture of the scaling's {@link sourceRegion}: each mean is rounded once. First combines
 * the rows that make up a line, where red and blue of a pixel share one multiplication, then the
 * columns of that line.
 */
export function scaleDown(picture: Picture, scaling: Scaling): Picture {
  const { from, to, window } = scaling;
  const { x, y } = sourceRegion(scaling);
  const across = shareOut(from.width, to.width, {
    first: window.x,
    count: window.width,
    offset: x,
    mostWhole: MAX_WHOLE / MAX_PACKED_WHOLE,
  });
  const down = shareOut(from.height, to.height, {
    first: window.y,
    count: window.height,
    offset: y,
    mostWhole: MAX_PACKED_WHOLE,
  });
  const pixels = new Uint32Array(window.width * window.height);
  const line = { redBlue: new Int32Array(picture.width), green: new Int32Array(picture.width) };
  for (let row = 0; row < window.height; row++) {
    const [first, end] = [down.starts[row]!, down.starts[row + 1]!];
    for (let share = first; share < end; share += 2) {
      const hasSecond = share + 1 < end; // an odd last row is paired with itself
      mixRows(line, picture, {
        from: down.indexes[share]!,
        and: down.indexes[hasSecond ? share + 1 : share]!,
        weight: down.weights[share]!,
        other: hasSecond ? down.weights[share + 1]! : 0,
        keep: share > first ? -1 : 0,
      });
    }
    const result = pixels.subarray(row * window.width, (row + 1) * window.width);
    mixColumns(result, line, { across, total: across.whole * down.whole });
  }
  return { width: window.width, height: window.height, pixels };
}

/** A row, or the sum of some: two colours share a number. */
interface Line {
  readonly redBlue: Int32Array;
  readonly green: Int32Array;
}

/** Adds two weighted rows to the sums, which `keep` (all bits or none) keeps or clears first. */
function mixRows(
  { redBlue, green }: Line,
  { pixels, width }: Picture,
  { from, and, weight, other, keep }: {
    from: number;
    and: number;
    weight: number;
    other: number;
    keep: number;
  },
): void {
  let a = from * width;
  let b = and * width;
  for (let column = 0; column < width; column++, a++, b++) {
    const one = pixels[a]!;
    const two = pixels[b]!;
    redBlue[column] = (redBlue[column]! & keep) + Math.imul(one & 0xff00ff, weight) +
      Math.imul(two & 0xff00ff, other);
    green[column] = (green[column]! & keep) + Math.imul(one >>> 8 & 255, weight) +
      Math.imul(two >>> 8 & 255, other);
  }
}

function mixColumns(
  result: Uint32Array,
  { redBlue, green }: Line,
  { across: { starts, indexes, weights }, total }: { across: Shares; total: number },
): void {
  const part = 1 / total;
  const half = 0.5 + 1e-9; // rounds halves up, despite the imprecision of the division
  let share = 0;
  for (let column = 0; column < result.length; column++) {
    const end = starts[column + 1]!;
    let r = 0, g = 0, b = 0;
    let at = indexes[share]!; // the pixels of one result are adjacent
    for (; share < end; share++, at++) {
      const weight = weights[share]!;
      const both = redBlue[at]!;
      r += Math.imul(both >>> 16, weight);
      g += Math.imul(green[at]!, weight);
      b += Math.imul(both & 0xffff, weight);
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

/** With a larger sum of weights, the sum of a colour has more than 16 bits, or than 31. */
const MAX_PACKED_WHOLE = 2 ** 8;
const MAX_WHOLE = 2 ** 23;

/**
 * The weights are exact if `mostWhole` allows it, as for common sizes of screens and pictures;
 * otherwise each is rounded such that no sum of weights is off by more than a half.
 */
function shareOut(
  from: number,
  to: number,
  { first, count, offset, mostWhole }: {
    first: number;
    count: number;
    offset: number;
    mostWhole: number;
  },
): Shares {
  const whole = Math.min(from / greatestDivisor(from, to), mostWhole);
  const starts: number[] = [0];
  const indexes: number[] = [];
  const weights: number[] = [];
  for (let n = first; n < first + count; n++) {
    const [begin, end] = [n * from, (n + 1) * from];
    for (let index = Math.floor(begin / to), done = 0; index * to < end; index++) {
      const sum = Math.round((Math.min(end, (index + 1) * to) - begin) / from * whole);
      indexes.push(index - offset);
      weights.push(sum - done);
      done = sum;
    }
    starts.push(indexes.length);
  }
  return {
    starts: Int32Array.from(starts),
    indexes: Int32Array.from(indexes),
    weights: Int32Array.from(weights),
    whole,
  };
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
