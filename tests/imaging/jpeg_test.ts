/** The JPEG encoder, where its file is larger than the picture. */

import { expect } from "expect";
import { decodeJpeg, encodeJpeg, openJpeg } from "../../src/imaging/jpeg.ts";
import type { Picture } from "../../src/platform/types/mod.ts";

/** Noise makes the largest files; grey noise does not suffer from colours of half the resolution. */
function greyNoise(width: number, height: number): Picture {
  const pixels = new Uint32Array(width * height);
  let seed = 12_345;
  for (let i = 0; i < pixels.length; i++) {
    seed = Math.imul(seed, 1_103_515_245) + 12_345 >>> 0;
    pixels[i] = (seed >>> 24) * 0x010101;
  }
  return { width, height, pixels };
}

function largestDifference(a: Picture, b: Picture): number {
  return a.pixels.reduce(
    (most, pixel, i) => Math.max(most, Math.abs((pixel & 255) - (b.pixels[i]! & 255))),
    0,
  );
}

const SIZES = [[1, 1], [1, 40], [40, 1], [2, 3], [8, 8], [15, 17], [33, 20], [640, 480]] as const;

Deno.test("encodeJpeg() writes files that are larger than their picture", async () => {
  const codec = await openJpeg();
  for (const quality of [1, 50, 89, 90, 100]) {
    for (const [width, height] of SIZES) {
      const picture = greyNoise(width, height);
      const read = decodeJpeg(codec, encodeJpeg(codec, picture, quality));
      expect([read.width, read.height]).toEqual([width, height]);
      if (quality === 100) expect(largestDifference(read, picture)).toBeLessThan(6);
    }
  }
  const noise = greyNoise(640, 480);
  const colours = { ...noise, pixels: noise.pixels.map((pixel, i) => pixel ^ i * 0x9e3779b1) };
  expect(encodeJpeg(codec, colours, 100).length).toBeGreaterThan(640 * 480 * 3);
});
