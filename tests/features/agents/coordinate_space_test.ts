/** Where a model's coordinates are on the screen. */

import { expect } from "expect";
import {
  Coordinates,
  type CoordinateSpace,
} from "../../../src/features/agents/coordinate_space.ts";
import { fitSize, parseFit } from "../../../src/imaging/fit.ts";

const SCREENS = [[1024, 768], [1280, 800], [1920, 1080], [3840, 2160], [1080, 1920], [903, 1758]];

function fitted(width: number, height: number, fit: string) {
  const limits = { maxWidth: undefined, maxHeight: undefined, maxEdge: undefined };
  return fitSize({ width, height }, { ...limits, fit: parseFit(fit) });
}

Deno.test("a pixel of a picture means the pixel of the screen at its centre, and back", () => {
  for (const [width, height] of SCREENS as [number, number][]) {
    for (const fit of ["claude", "claude-standard"]) {
      const size = fitted(width, height, fit);
      const space = new Coordinates({ kind: "picture", size }, { width, height });
      for (const part of [0, 0.1, 0.5, 0.77, 1]) {
        const point = {
          x: Math.round(part * (size.width - 1)),
          y: Math.round(part * (size.height - 1)),
        };
        const at = space.toScreen(point, "coordinate");
        expect(Math.abs((at.x + 0.5) * size.width / width - (point.x + 0.5))).toBeLessThanOrEqual(
          1,
        );
        expect(Math.abs((at.y + 0.5) * size.height / height - (point.y + 0.5)))
          .toBeLessThanOrEqual(1);
        expect(space.fromScreen(at)).toEqual(point);
      }
    }
  }
});

Deno.test("thousandths are those of the vendors' examples, and never off the screen", () => {
  const screen = { width: 1920, height: 1080 };
  const cases: [CoordinateSpace, number, number, number, number][] = [
    [{ kind: "thousandths", max: 999 }, 500, 500, 960, 540],
    [{ kind: "thousandths", max: 999 }, 999, 999, 1918, 1078],
    [{ kind: "thousandths", max: 1000 }, 1000, 1000, 1919, 1079],
    [{ kind: "thousandths", max: 1000 }, 250, 750, 480, 810],
    [{ kind: "thousandths", max: 999 }, 0, 0, 0, 0],
  ];
  for (const [space, x, y, screenX, screenY] of cases) {
    const coordinates = new Coordinates(space, screen);
    expect(coordinates.toScreen({ x, y }, "x")).toEqual({ x: screenX, y: screenY });
    const back = coordinates.fromScreen({ x: screenX, y: screenY });
    expect(Math.abs(back.x - x)).toBeLessThanOrEqual(1);
  }
});

Deno.test("a part of a picture that was sent maps into the region that it shows", () => {
  const frame = {
    ...{ id: "f", displayNum: 1, serverRun: undefined, run: "r", count: 0, tag: "" },
    ...{ screen: { width: 800, height: 600 }, cursor: undefined },
    region: { x: 100, y: 50, width: 400, height: 200 },
    size: { width: 200, height: 100 },
    window: { x: 0, y: 0, width: 200, height: 100 },
  };
  const space = new Coordinates({ kind: "frame", frame }, { width: 800, height: 600 });
  expect(space.toScreen({ x: 10, y: 20 }, "x")).toEqual({ x: 121, y: 91 });
  expect(space.fromScreen({ x: 121, y: 91 })).toEqual({ x: 10, y: 20 });
  expect(space.fromScreen({ x: 0, y: 599 })).toEqual({ x: 0, y: 99 });
  expect(space.areaOnScreen([10, 20, 30, 40], "region"))
    .toEqual({ x: 120, y: 90, width: 40, height: 40 });
});

Deno.test("points and boxes outside are refused, the right and lower edge mean the last pixel", () => {
  const size = { width: 1456, height: 819 };
  const space = new Coordinates({ kind: "picture", size }, { width: 1920, height: 1080 });
  expect(space.toScreen({ x: 1456, y: 819 }, "x")).toEqual({ x: 1919, y: 1079 });
  expect(space.toScreen({ x: 10.9, y: 0.2 }, "x")).toEqual(space.toScreen({ x: 10, y: 0 }, "x"));
  for (
    const point of [{ x: 1457, y: 0 }, { x: 0, y: -1 }, { x: NaN, y: 0 }, { x: Infinity, y: 0 }]
  ) {
    expect(() => space.toScreen(point, "coordinate"))
      .toThrow("is outside the picture, which is 1456x819 pixels");
  }
  expect(space.areaOnScreen([0, 0, 1456, 819], "region"))
    .toEqual({ x: 0, y: 0, width: 1920, height: 1080 });
  expect(() => space.areaOnScreen([0, 0, 1457, 819], "region")).toThrow("extends beyond");
  expect(() => space.areaOnScreen([10, 10, 10, 20], "region")).toThrow("top left");
});
