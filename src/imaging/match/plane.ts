/**
 * Reduces a picture to one number per pixel: brightness, or the colour in which a template varies
 * most.
 */

import type { Size } from "../../core/geometry.ts";
import type { Picture } from "../picture.ts";
import type { Template } from "../decode.ts";

/** Weights of red, green and blue, in 256ths. */
export type PlaneWeights = readonly [number, number, number];

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
