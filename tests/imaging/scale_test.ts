/** scaleDown(): every pixel is the mean of what it covers, computed here a second time, slowly. */

import { expect } from "expect";
import { scaleDown, sourceRegion } from "../../src/imaging/scale.ts";
import type { Picture, Region, Size } from "../../src/platform/types/mod.ts";

/** Pixels that repeat nowhere near, with something in the byte that does not count. */
function noise({ width, height }: Size): Picture {
  let state = 7;
  const pixels = Uint32Array.from({ length: width * height }, () => {
    state = (state * 48271) % 2147483647;
    return state;
  });
  return { width, height, pixels };
}

/** The mean of one colour of all that a pixel covers. */
function meanAt(
  picture: Picture,
  to: Size,
  [x, y, shift]: readonly [number, number, number],
): number {
  const [scaleX, scaleY] = [picture.width / to.width, picture.height / to.height];
  let sum = 0;
  for (let row = Math.floor(y * scaleY); row < (y + 1) * scaleY; row++) {
    for (let column = Math.floor(x * scaleX); column < (x + 1) * scaleX; column++) {
      const wide = Math.min((x + 1) * scaleX, column + 1) - Math.max(x * scaleX, column);
      const high = Math.min((y + 1) * scaleY, row + 1) - Math.max(y * scaleY, row);
      if (wide <= 0 || high <= 0) continue;
      sum += wide * high * (picture.pixels[row * picture.width + column]! >>> shift & 255);
    }
  }
  return sum / scaleX / scaleY;
}

/** Levels beyond rounding: none, but where no small weights are exact. */
const TOLERANCE = 0.01;
const CASES: readonly [Size, Size, tolerance?: number][] = [
  [{ width: 30, height: 20 }, { width: 20, height: 15 }],
  [{ width: 64, height: 48 }, { width: 32, height: 24 }],
  [{ width: 96, height: 63 }, { width: 64, height: 42 }],
  [{ width: 192, height: 144 }, { width: 128, height: 96 }],
  [{ width: 97, height: 61 }, { width: 53, height: 60 }],
  [{ width: 40, height: 40 }, { width: 39, height: 40 }],
  [{ width: 99, height: 71 }, { width: 25, height: 18 }],
  [{ width: 300, height: 200 }, { width: 7, height: 3 }],
  [{ width: 50, height: 9 }, { width: 1, height: 1 }],
  [{ width: 9, height: 1081 }, { width: 4, height: 719 }, 0.75],
];

for (const [from, to, tolerance = TOLERANCE] of CASES) {
  Deno.test(`scaleDown() averages ${from.width}x${from.height} to ${to.width}x${to.height}`, () => {
    const picture = noise(from);
    const window = { x: 0, y: 0, ...to };
    const scaled = scaleDown(picture, { from, to, window });
    expect([scaled.width, scaled.height]).toEqual([to.width, to.height]);
    let worst = 0;
    for (let i = 0; i < scaled.pixels.length; i++) {
      for (const shift of [16, 8, 0]) {
        const mean = meanAt(picture, to, [i % to.width, Math.floor(i / to.width), shift]);
        worst = Math.max(worst, Math.abs(mean - (scaled.pixels[i]! >>> shift & 255)));
      }
    }
    expect(worst).toBeLessThanOrEqual(0.5 + tolerance);
  });

  Deno.test(`scaleDown() makes parts of ${to.width}x${to.height} that are the whole's own pixels`, () => {
    const picture = noise(from);
    const whole = scaleDown(picture, { from, to, window: { x: 0, y: 0, ...to } });
    const x = to.width >> 1, y = to.height >> 1;
    const window = { x, y, width: to.width - x, height: Math.max(1, to.height - y - 1) };
    const part = scaleDown(crop(picture, sourceRegion({ from, to, window })), { from, to, window });
    expect([...part.pixels]).toEqual([...crop(whole, window).pixels]);
  });
}

Deno.test("scaleDown() keeps one colour as it is", () => {
  const [from, to] = [{ width: 191, height: 107 }, { width: 127, height: 71 }];
  for (const colour of [0, 0xffffff, 0x123456]) {
    const picture = { ...from, pixels: new Uint32Array(from.width * from.height).fill(colour) };
    const { pixels } = scaleDown(picture, { from, to, window: { x: 0, y: 0, ...to } });
    expect(new Set(pixels)).toEqual(new Set([colour]));
  }
});

function crop({ pixels, width }: Picture, part: Region): Picture {
  const out = new Uint32Array(part.width * part.height);
  for (let row = 0; row < part.height; row++) {
    const from = (part.y + row) * width + part.x;
    out.set(pixels.subarray(from, from + part.width), row * part.width);
  }
  return { width: part.width, height: part.height, pixels: out };
}
