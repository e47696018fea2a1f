/** The sizes at which Qwen2.5-VL looks at pictures, as its image processor computes them. */

import { expect } from "expect";
import fc from "fast-check";
import { smartResize } from "../../../src/features/agents/coordinate_space.ts";

const SIZES: readonly (readonly [number, number, number, number])[] = [
  [1920, 1080, 1932, 1092],
  [1080, 1920, 1092, 1932],
  [1280, 800, 1288, 812],
  [1024, 768, 1036, 756],
  [1366, 768, 1372, 756],
  [2560, 1440, 2548, 1428],
  [3840, 2160, 3836, 2156],
  [7680, 4320, 4760, 2688],
  [14, 14, 56, 56],
  [70, 98, 56, 112],
];

for (const [width, height, ...resized] of SIZES) {
  Deno.test(`a picture of ${width}x${height} is looked at as ${resized.join("x")}`, () => {
    const size = smartResize({ width, height });
    expect([size.width, size.height]).toEqual(resized);
  });
}

Deno.test("both sides are multiples of 28, and the area is within the bounds of the model", () => {
  const side = fc.integer({ min: 56, max: 8_000 });
  const bounds = { minPixels: 78_400, maxPixels: 2_000_000 };
  fc.assert(fc.property(side, side, (width, height) => {
    fc.pre(Math.max(width, height) / Math.min(width, height) < 20);
    const size = smartResize({ width, height }, bounds);
    expect(size.width % 28 + size.height % 28).toBe(0);
    expect(size.width * size.height).toBeLessThanOrEqual(bounds.maxPixels);
    expect(size.width * size.height).toBeGreaterThanOrEqual(bounds.minPixels);
  }));
});
