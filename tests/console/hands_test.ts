/** Where the mouse is on the display, however large the picture is shown and wherever it begins. */

import { expect } from "expect";
import { pixelAt } from "../../src/console/page/hands.ts";

/** A window of 200 x 100 pixels, shown at half of its size. */
const canvas = {
  width: 200,
  height: 100,
  getBoundingClientRect: () => ({ left: 10, top: 20, width: 100, height: 50 }),
} as unknown as Parameters<typeof pixelAt>[0];

const CASES = [
  { what: "the first pixel", at: [10, 20], pixel: [300, 400] },
  { what: "one in the middle", at: [60, 45], pixel: [400, 450] },
  { what: "the last pixel", at: [109.9, 69.9], pixel: [499, 499] },
  { what: "the nearest one beside the picture", at: [0, 500], pixel: [300, 499] },
] as const;

for (const { what, at: [clientX, clientY], pixel: [x, y] } of CASES) {
  Deno.test(`pixelAt() finds ${what}, from where the window is on the display`, () => {
    expect(pixelAt(canvas, { x: 300, y: 400 }, { clientX, clientY })).toEqual({ x, y });
  });
}
