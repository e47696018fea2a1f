/**
 * Reduces a picture to one number per pixel: brightness, or the colour in which a template varies
 * most.
 */

import type { Point, Region, Size } from "../../core/geometry.ts";
import type { Template } from "../decode.ts";
import type { Picture } from "../picture.ts";

/** Weights of red, green and blue, in 256ths. */
type PlaneWeights = readonly [number, number, number];

export interface Plane extends Size {
  readonly values: Uint8Array;
}

/** Brightness comes first: another plane must vary clearly more to be chosen. */
const PLANES: readonly PlaneWeights[] = [
  [77, 150, 29],
  [256, 0, 0],
  [0, 256, 0],
  [0, 0, 256],
];
const CLEARLY_MORE = 2;

/** The plane in which the template varies most; `undefined` for a template of one colour. */
export function choosePlane(template: Template): PlaneWeights | undefined {
  let chosen: PlaneWeights | undefined;
  let most = 0;
  for (const weights of PLANES) {
    const spread = variance(takePlane(template, weights), template.mask);
    if (spread <= (chosen ? most * CLEARLY_MORE : 0)) continue;
    chosen = weights;
    most = spread;
  }
  return chosen;
}

export function takePlane({ pixels, width, height }: Picture, weights: PlaneWeights): Plane {
  const [red, green, blue] = weights;
  const values = new Uint8Array(width * height);
  for (let at = 0; at < values.length; at++) {
    const pixel = pixels[at]!;
    values[at] =
      ((pixel >>> 16 & 255) * red + (pixel >>> 8 & 255) * green + (pixel & 255) * blue) >>
      8;
  }
  return { width, height, values };
}

function variance({ values }: Plane, mask: Uint8Array | undefined): number {
  let count = 0, sum = 0, squares = 0;
  for (let at = 0; at < values.length; at++) {
    if (mask?.[at] === 0) continue;
    const value = values[at]!;
    count++;
    sum += value;
    squares += value * value;
  }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2;
}

// Selects some samples of a template that represent all of it.

/** The mean of a box whose top left pixel is at `x`, `y` of the template. */
interface Tap extends Point {
  readonly value: number;
}

interface TapOptions {
  readonly mask: Uint8Array | undefined;
  /** Width and height of the boxes, in pixels. */
  readonly blur: readonly [number, number];
  readonly most: number;
}

/** Taps prepared for correlation with a picture. */
export interface Samples {
  /** Offset of each sample from the place of the template. */
  readonly offsets: Int32Array;
  /** The values minus their mean. */
  readonly values: Float32Array;
  readonly norm: number;
}

export function prepareSamples(taps: readonly Tap[], offset: (tap: Tap) => number): Samples {
  const mean = taps.reduce((sum, { value }) => sum + value, 0) / taps.length;
  const values = Float32Array.from(taps, ({ value }) => value - mean);
  const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return { offsets: Int32Array.from(taps, offset), values, norm };
}

/** Adjacent boxes without transparent pixels; if there are too many, an even selection. */
export function pickTaps(template: Plane, { mask, blur, most }: TapOptions): Tap[] {
  const taps: Tap[] = [];
  const [blurX, blurY] = blur;
  for (let y = 0; y + blurY <= template.height; y += blurY) {
    for (let x = 0; x + blurX <= template.width; x += blurX) {
      const value = averageBox(template, mask, { x, y, width: blurX, height: blurY });
      if (value !== undefined) taps.push({ x, y, value });
    }
  }
  if (taps.length === 0) return singlePixels(template, mask, { most, blur });
  return choose(taps, most);
}

/** For a template so full of holes that no box is complete: one pixel per box of the same grid. */
function singlePixels(
  { values, width, height }: Plane,
  mask: Uint8Array | undefined,
  { most, blur: [blurX, blurY] }: { most: number; blur: readonly [number, number] },
): Tap[] {
  const taps: Tap[] = [];
  const [stepX, stepY] = [Math.max(1, blurX >> 1), Math.max(1, blurY >> 1)];
  for (let y = 0; y + blurY <= height; y += stepY) {
    for (let x = 0; x + blurX <= width; x += stepX) {
      if (mask?.[y * width + x] !== 0) taps.push({ x, y, value: values[y * width + x]! });
    }
  }
  return choose(taps, most);
}

/** Selects every n-th after a deterministic shuffle. */
export function choose<T>(all: T[], most: number): T[] {
  if (all.length <= most) return all;
  let state = 1;
  for (let i = all.length - 1; i > 0; i--) {
    state = state * 48_271 % 2_147_483_647; // Park and Miller's generator
    const other = state % (i + 1);
    [all[i], all[other]] = [all[other]!, all[i]!];
  }
  return all.slice(0, most);
}

/** `undefined` when any pixel of the box is transparent. */
function averageBox(
  { values, width }: Plane,
  mask: Uint8Array | undefined,
  box: { x: number; y: number; width: number; height: number },
): number | undefined {
  let sum = 0;
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let at = y * width + box.x; at < y * width + box.x + box.width; at++) {
      if (mask?.[at] === 0) return undefined;
      sum += values[at]!;
    }
  }
  return sum / (box.width * box.height);
}

// Places of a picture where a template may be, and how well they match.

export interface Scored extends Point {
  readonly score: number;
}

export interface Match extends Region {
  /** 1 is identical, 0 is unrelated. */
  readonly confidence: number;
}

/** Higher scores first; for equal scores, the upper one, then the left one. */
export function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.y - b.y || a.x - b.x;
}

/** Drops places that overlap a better one by more than half in both directions. */
export function separate(sorted: readonly Scored[], { width, height }: Size): Scored[] {
  const kept: Scored[] = [];
  for (const one of sorted) {
    const isNew = kept.every(({ x, y }) =>
      Math.abs(x - one.x) * 2 >= width || Math.abs(y - one.y) * 2 >= height
    );
    if (isNew) kept.push(one);
  }
  return kept;
}

export function asMatch({ x, y, score }: Scored, { width, height }: Size): Match {
  return { x, y, width, height, confidence: Math.round(Math.min(1, score) * 1e6) / 1e6 };
}
