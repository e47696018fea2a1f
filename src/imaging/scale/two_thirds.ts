/**
 * Scales to two thirds, such as full HD to 1280x720: each three by three pixels become two by two.
 */

import type { Picture } from "../picture.ts";

/** A ninth in 65536ths, rounded up: exact for sums of up to 9 * 255 + 4. */
const NINTH = 7_282;

/**
 * Computes exact means, rounded once; width and height must be multiples of 3. A pixel of the
 * result covers one corner pixel of the nine completely, half of each of the two beside it, and a
 * quarter of the middle one: (4 corner + 2 edge + 2 edge + middle) / 9. Red and blue are added in
 * one number, because neither sum needs more than 16 bits; the share of the middle includes half of
 * 9, for rounding.
 */
export function scaleToTwoThirds({ pixels: unsigned, width, height }: Picture): Picture {
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
