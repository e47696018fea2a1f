/** Points and the edges of the screen. */

import { expect } from "expect";
import { checkOnScreen, clampTo } from "../../src/features/fields.ts";
import type { Display } from "../../src/platform/types/mod.ts";

const DISPLAY = { displayNum: 3, size: { width: 640, height: 480 } } as Display;

Deno.test("clampTo() gives the nearest point on the screen", () => {
  const table = [
    [{ x: 0, y: 0 }, { x: 0, y: 0 }],
    [{ x: 639, y: 479 }, { x: 639, y: 479 }],
    [{ x: 640, y: 480 }, { x: 639, y: 479 }],
    [{ x: -1, y: 2 ** 50 }, { x: 0, y: 479 }],
  ] as const;
  for (const [point, nearest] of table) expect(clampTo(DISPLAY.size, point)).toEqual(nearest);
});

Deno.test("checkOnScreen() takes every point on the screen, and names the field of one that is off", () => {
  for (const point of [{ x: 0, y: 0 }, { x: 639, y: 479 }]) {
    expect(() => checkOnScreen(DISPLAY, point)).not.toThrow();
  }
  const off = [[640, 0, "x"], [-1, 0, "x"], [0, 480, "y"], [0, -1, "y"], [640, 480, "x"]] as const;
  for (const [x, y, field] of off) {
    expect(() => checkOnScreen(DISPLAY, { x, y })).toThrow(expect.objectContaining({ field }));
  }
  expect(() => checkOnScreen(DISPLAY, { x: 640, y: 0 })).toThrow("display 3 is 640x480");
});
