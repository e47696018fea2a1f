/** Scales, places and numbers of outputs. */

import { expect } from "expect";
import {
  findScale,
  OutputNumbers,
  rotateSize,
  toLogical,
  toPixel,
} from "../../../../src/platform/linux/wayland/outputs.ts";

const SCALES = [1, 2, 3, 1.25, 1.5, 1.75, 2.5, 1.1, 4 / 3] as const;
const MODES = [[1280, 800], [1920, 1080], [3840, 2160], [1366, 768]] as const;

for (const scale of SCALES) {
  Deno.test(`findScale() finds ${scale}, however the logical size was rounded`, () => {
    for (const [width, height] of MODES) {
      for (const round of [Math.floor, Math.round]) {
        const logical = { width: round(width / scale), height: round(height / scale) };
        expect(findScale({ width, height }, logical)).toBeCloseTo(scale, 2);
      }
    }
  });
}

Deno.test("each pixel is found again from its place on the desktop, at every scale", () => {
  for (const scale of SCALES) {
    const size = { width: 1366, height: 768 };
    const logical = {
      ...{ x: 1920, y: -300 },
      width: Math.floor(size.width / scale),
      height: Math.floor(size.height / scale),
    };
    for (let x = 0; x < size.width; x++) {
      const point = { x, y: x % size.height };
      expect(toPixel(toLogical(point, size, logical), size, logical)).toEqual(point);
    }
  }
});

Deno.test("rotateSize() swaps the sides at quarter turns", () => {
  const size = { width: 3, height: 2 };
  const turned = { width: 2, height: 3 };
  expect([0, 1, 2, 3, 4, 5, 6, 7].map((transform) => rotateSize(size, transform)))
    .toEqual([size, turned, size, turned, size, turned, size, turned]);
});

Deno.test("an output keeps its number while it is away, and a further one gets the next", () => {
  let names = ["A", "B"];
  const numbers = new OutputNumbers(() => names);
  expect(numbers.list()).toEqual([1, 2]);
  names = ["B"];
  expect([numbers.list(), numbers.nameOf(1), numbers.nameOf(2)]).toEqual([[2], undefined, "B"]);
  names = ["B", "C", "A"];
  expect([1, 2, 3].map((number) => numbers.nameOf(number))).toEqual(["A", "B", "C"]);
  names = [];
  expect(numbers.list()).toEqual([]);
  names = ["A"];
  expect(numbers.list()).toEqual([1]);
});

Deno.test("other outputs than all before begin at 1", () => {
  let names = ["A", "B"];
  const numbers = new OutputNumbers(() => names);
  expect(numbers.list()).toEqual([1, 2]);
  names = ["X"];
  expect(numbers.nameOf(1)).toBe("X");
});
