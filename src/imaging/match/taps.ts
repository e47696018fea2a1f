/** Selects some samples of a template that represent all of it. */

import type { Plane } from "./plane.ts";

/** The mean of a box whose top left pixel is at `x`, `y` of the template. */
export interface Tap {
  readonly x: number;
  readonly y: number;
  readonly value: number;
}

export interface TapOptions {
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
