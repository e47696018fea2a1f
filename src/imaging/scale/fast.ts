/** Area averaging with 8-bit weights; red and blue of a pixel share one multiplication. */

import type { Picture } from "../picture.ts";
import type { Axes, Shares } from "./shares.ts";

/** The sum of all weights of one result. */
const WHOLE = 256;
const HALF_OF_BOTH = 1 << 15;

/** First combines the rows that make up a line, column by column, then the columns of that line. */
export function scaleFast(picture: Picture, { columns, rows, offset }: Axes): Picture {
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
        ...{ from: down.indexes[share]!, and: down.indexes[second]! },
        ...{ weight: down.weights[share]!, other: second === share ? 0 : down.weights[second]! },
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
