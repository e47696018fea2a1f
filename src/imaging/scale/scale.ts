/**
 * Scales down by area averaging: every pixel of the result is the mean of the area that it covers,
 * so that text stays readable.
 */

import type { Point, Region, Size } from "../../core/geometry.ts";
import type { Picture } from "../picture.ts";

/**
 * Scales a picture of the scaling's {@link sourceRegion}. The exact way uses integers and rounds
 * each mean once; down to a quarter of the size a faster way is used, which is off by at most about
 * one level of 255.
 */
export function scaleDown(picture: Picture, scaling: Scaling): Picture {
  const { from, to, window } = scaling;
  const toTwoThirds = isTwoThirds(scaling);
  if (toTwoThirds && isInBlocks(window)) return scaleToTwoThirds(picture);
  const axes = planAxes(scaling);
  if (toTwoThirds) return scaleExactly(picture, axes);
  const isSmallStep = from.width <= MAX_FAST * to.width && from.height <= MAX_FAST * to.height;
  return isSmallStep ? scaleFast(picture, axes) : scaleExactly(picture, axes);
}

/**
 * Such as full HD to 1280x720. Parts must have the same pixels as the whole picture, so only the
 * two exact ways are used: {@link scaleToTwoThirds} and {@link scaleExactly}.
 */
function isTwoThirds({ from, to }: Scaling): boolean {
  return from.width * 2 === to.width * 3 && from.height * 2 === to.height * 3;
}

function isInBlocks({ x, y, width, height }: Region): boolean {
  return (x | y | width | height) % 2 === 0;
}

/**
 * The largest factor for the fast way: with more pixels per result, its 8-bit weights would be too
 * coarse.
 */
const MAX_FAST = 4;

// Area averaging with integers: each mean is rounded once.

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
    addColumns(sums, line, { columns, offset: offset.x, total });
  }
  return { width, height, pixels };
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

function addColumns(
  sums: Float64Array,
  line: Uint32Array,
  { columns, offset, total }: { columns: Shares; offset: number; total: number },
): void {
  const { starts, indexes, weights } = columns;
  const half = 0.5 + 1e-9; // rounds halves up, despite the imprecision of the division
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

// Scales to two thirds, such as full HD to 1280x720: each three by three pixels become two by two.

/** A ninth in 65536ths, rounded up: exact for sums of up to 9 * 255 + 4. */
const NINTH = 7_282;

/**
 * Computes exact means, rounded once; width and height must be multiples of 3. A pixel of the
 * result covers one corner pixel of the nine completely, half of each of the two beside it, and a
 * quarter of the middle one: (4 corner + 2 edge + 2 edge + middle) / 9. Red and blue are added in
 * one number, because neither sum needs more than 16 bits; the share of the middle includes half of
 * 9, for rounding.
 */
function scaleToTwoThirds({ pixels: unsigned, width, height }: Picture): Picture {
  const size = { width: width / 3 * 2, height: height / 3 * 2 };
  // faster in V8
  const pixels = new Int32Array(unsigned.buffer, unsigned.byteOffset, unsigned.length);
  const result = new Int32Array(size.width * size.height);
  for (let row = 0, to = 0; row < height; row += 3, to += size.width) {
    const end = (row + 1) * width;
    for (let top = row * width; top < end; top += 3, to += 2) {
      const middle = top + width, bottom = middle + width, below = to + size.width;
      const a = pixels[top]!, b = pixels[top + 1]!, c = pixels[top + 2]!;
      const d = pixels[middle]!, e = pixels[middle + 1]!, f = pixels[middle + 2]!;
      const g = pixels[bottom]!, h = pixels[bottom + 1]!, i = pixels[bottom + 2]!;

      const up = redBlue(b) << 1, left = redBlue(d) << 1;
      const right = redBlue(f) << 1, down = redBlue(h) << 1, centre = redBlue(e) + 0x40004;
      const greenUp = green(b) << 1, greenLeft = green(d) << 1;
      const greenRight = green(f) << 1, greenDown = green(h) << 1, greenCentre = green(e) + 4;

      result[to] = mean(
        (redBlue(a) << 2) + up + left + centre,
        (green(a) << 2) + greenUp + greenLeft + greenCentre,
      );
      result[to + 1] = mean(
        (redBlue(c) << 2) + up + right + centre,
        (green(c) << 2) + greenUp + greenRight + greenCentre,
      );
      result[below] = mean(
        (redBlue(g) << 2) + down + left + centre,
        (green(g) << 2) + greenDown + greenLeft + greenCentre,
      );
      result[below + 1] = mean(
        (redBlue(i) << 2) + down + right + centre,
        (green(i) << 2) + greenDown + greenRight + greenCentre,
      );
    }
  }
  return { ...size, pixels: new Uint32Array(result.buffer) };
}

function redBlue(pixel: number): number {
  return pixel & 0xff00ff;
}

function green(pixel: number): number {
  return pixel >>> 8 & 0xff;
}

/** A pixel from a ninth of each sum. */
function mean(redBlue: number, green: number): number {
  return Math.imul(redBlue >>> 16, NINTH) & 0xff0000 |
    Math.imul(green, NINTH) >>> 8 & 0xff00 |
    Math.imul(redBlue & 0xffff, NINTH) >>> 16;
}

// Area averaging with 8-bit weights; red and blue of a pixel share one multiplication.

/** The sum of all weights of one result. */
const WHOLE = 256;
const HALF_OF_BOTH = 1 << 15;

/** First combines the rows that make up a line, column by column, then the columns of that line. */
function scaleFast(picture: Picture, { columns, rows, offset }: Axes): Picture {
  const width = columns.starts.length - 1;
  const height = rows.starts.length - 1;
  const across = asBytes(columns, offset.x);
  const down = asBytes(rows, offset.y);
  const pixels = new Uint32Array(width * height);
  const redBlue = new Int32Array(picture.width);
  const green = new Int32Array(picture.width);
  for (let row = 0; row < height; row++) {
    const [first, end] = [down.starts[row]!, down.starts[row + 1]!];
    for (let share = first; share < end; share += 2) {
      const second = share + 1 < end ? share + 1 : share; // an odd last row is paired with itself
      mixRows(picture, redBlue, green, {
        from: down.indexes[share]!,
        and: down.indexes[second]!,
        weight: down.weights[share]!,
        other: second === share ? 0 : down.weights[second]!,
        keep: share > first ? -1 : 0,
      });
    }
    mixColumns(pixels, row * width, { width, redBlue, green, across });
  }
  return { width, height, pixels };
}

/** Adds two weighted rows to the sums, which `keep` (all bits or none) keeps or clears first. */
function mixRows(
  { pixels, width }: Picture,
  redBlue: Int32Array,
  green: Int32Array,
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
  pixels: Uint32Array,
  start: number,
  { width, redBlue, green, across }: {
    width: number;
    redBlue: Int32Array;
    green: Int32Array;
    across: Shares;
  },
): void {
  const { starts, indexes, weights } = across;
  let share = 0;
  for (let column = 0; column < width; column++) {
    const end = starts[column + 1]!;
    let r = HALF_OF_BOTH, g = HALF_OF_BOTH, b = HALF_OF_BOTH;
    let at = indexes[share]!; // the pixels of one result are adjacent
    for (; share < end; share++, at++) {
      const weight = weights[share]!;
      const both = redBlue[at]!;
      r += Math.imul(both >>> 16, weight);
      g += Math.imul(green[at]!, weight);
      b += Math.imul(both & 0xffff, weight);
    }
    pixels[start + column] = r & 0xff0000 | g >>> 8 & 0xff00 | b >>> 16;
  }
}

/**
 * The same weights in 256ths, with the rounding remainder added to the largest; indexes are
 * relative to the first available pixel.
 */
function asBytes({ starts, indexes, weights }: Shares, offset: number): Shares {
  const bytes = new Int32Array(weights.length);
  for (let result = 0; result + 1 < starts.length; result++) {
    const [first, end] = [starts[result]!, starts[result + 1]!];
    let total = 0;
    for (let share = first; share < end; share++) total += weights[share]!;
    let rest = WHOLE;
    let largest = first;
    for (let share = first; share < end; share++) {
      bytes[share] = Math.round(weights[share]! * WHOLE / total);
      rest -= bytes[share]!;
      if (weights[share]! > weights[largest]!) largest = share;
    }
    bytes[largest] = bytes[largest]! + rest;
  }
  return { starts, indexes: indexes.map((index) => index - offset), weights: bytes };
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

/** How to combine pixels along both axes. */
interface Axes {
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
interface Shares {
  readonly starts: Int32Array;
  readonly indexes: Int32Array;
  /** In units of a pixel divided into `to` parts; the weights of one result add up to `from`. */
  readonly weights: Int32Array;
}

/** How to combine the pixels of a picture of the scaling's {@link sourceRegion}. */
function planAxes(scaling: Scaling): Axes {
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
