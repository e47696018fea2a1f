/** fitSize() and parseFit(): how large a picture becomes. */

import { expect } from "expect";
import { fitSize, parseFit } from "../../src/imaging/fit.ts";

const NONE = { maxWidth: undefined, maxHeight: undefined, fit: undefined };

Deno.test("fitSize() keeps the ratio within both bounds, and never enlarges", () => {
  const screen = { width: 1920, height: 1080 };
  const table = [
    [{}, [1920, 1080]],
    [{ maxWidth: 1280 }, [1280, 720]],
    [{ maxHeight: 540 }, [960, 540]],
    [{ maxWidth: 1280, maxHeight: 100 }, [178, 100]],
    [{ maxWidth: 5000 }, [1920, 1080]],
    [{ maxWidth: 1 }, [1, 1]],
  ] as const;
  for (const [limits, [width, height]] of table) {
    expect(fitSize(screen, { ...NONE, ...limits })).toEqual({ width, height });
  }
  expect(fitSize({ width: 3000, height: 2 }, { ...NONE, maxWidth: 10 })).toEqual({
    width: 10,
    height: 1,
  });
});

Deno.test("fitSize() for claude stays within the edge and the tiles, and wastes little", () => {
  const fit = parseFit("claude");
  const screens = [[1920, 1080], [1280, 800], [3840, 2160], [1080, 1920], [800, 600], [5000, 100], [
    1568,
    784,
  ], [1500, 1500]];
  for (const [width, height] of screens) {
    const size = fitSize({ width: width!, height: height! }, { ...NONE, fit });
    const tiles = Math.ceil(size.width / 28) * Math.ceil(size.height / 28);
    expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(1568);
    expect(tiles).toBeLessThanOrEqual(1568);
    const whole = size.width === width && size.height === height;
    const full = tiles > 1450 || Math.max(size.width, size.height) > 1560;
    expect(whole || full).toBe(true);
    expect(Math.abs(size.width / size.height / (width! / height!) - 1)).toBeLessThan(0.02);
  }
  expect(fitSize({ width: 1920, height: 1080 }, { ...NONE, fit })).toEqual({
    width: 1456,
    height: 819,
  });
});

Deno.test("parseFit() refuses everything else", () => {
  expect(parseFit("max_bytes:1000")).toEqual({ kind: "max_bytes", bytes: 1000 });
  for (
    const text of [
      "",
      "openai",
      "Claude",
      "max_bytes:",
      "max_bytes:999",
      "max_bytes:-5",
      "max_bytes:1e9",
      "max_bytes:9999999999",
    ]
  ) {
    expect(() => parseFit(text)).toThrow("max_bytes:<n>");
  }
});
