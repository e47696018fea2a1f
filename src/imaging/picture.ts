/** The pixel format that all files of this folder use. */

import type { Point, Region, Rgb, Size } from "../core/geometry.ts";

/** Rows of pixels, top row first, no padding. */
export interface Picture extends Size {
  /** One number per pixel, `0xRRGGBB`; the highest byte is undefined. */
  readonly pixels: Uint32Array;
}

/** The colour of the first pixel. */
export function firstColour({ pixels }: Picture): Rgb {
  const pixel = pixels[0]!;
  return [pixel >>> 16 & 255, pixel >>> 8 & 255, pixel & 255];
}

/** Returns a part of a picture, or the picture itself when the region covers all of it. */
export function cutOut(picture: Picture, { x, y, width, height }: Region): Picture {
  if (width === picture.width && height === picture.height) return picture;
  const pixels = new Uint32Array(width * height);
  for (let row = 0; row < height; row++) {
    const from = (y + row) * picture.width + x;
    pixels.set(picture.pixels.subarray(from, from + width), row * width);
  }
  return { width, height, pixels };
}

/** Draws premultiplied colours, `0xAARRGGBB`, over a picture; what lies beyond its edges is left out. */
export function drawOver(picture: Picture, above: Picture, { x: left, y: top }: Point): void {
  for (let row = Math.max(0, -top); row < above.height && top + row < picture.height; row++) {
    const end = Math.min(above.width, picture.width - left);
    for (let column = Math.max(0, -left); column < end; column++) {
      const index = (top + row) * picture.width + left + column;
      const colour = above.pixels[row * above.width + column]!;
      picture.pixels[index] = over(colour, picture.pixels[index]!);
    }
  }
}

/** Porter and Duff's "over" operator for a premultiplied colour above an opaque one. */
function over(above: number, below: number): number {
  const alpha = above >>> 24;
  if (alpha === 0) return below;
  if (alpha === 255) return above & 0xffffff;
  const mix = (shift: number) => {
    const under = ((below >>> shift) & 255) * (255 - alpha);
    return Math.min(255, ((above >>> shift) & 255) + Math.round(under / 255)) << shift;
  };
  return mix(16) | mix(8) | mix(0);
}

/** `0xAABBGGRR` -> `0xAARRGGBB` */
export function swapRedAndBlue(pixels: Uint32Array): void {
  for (let i = 0; i < pixels.length; i++) {
    const pixel = pixels[i]!;
    pixels[i] = (pixel & 0xff00ff00) | (pixel & 0xff) << 16 | (pixel >>> 16) & 0xff;
  }
}
