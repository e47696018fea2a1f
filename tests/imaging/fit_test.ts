/** fitSize() and parseFit(): how large a picture becomes. */

import { expect } from "expect";
import { fitSize, parseFit } from "../../src/imaging/fit.ts";

const NONE = { maxWidth: undefined, maxHeight: undefined, maxEdge: undefined, fit: undefined };

/** The published limits: longest edge, side of a tile, tiles. */
const PUBLISHED = {
  "claude": [2576, 28, 4784],
  "claude-standard": [1568, 28, 1568],
  "openai": [2048, 32, 2500],
  "gemini": [3072, 768, Infinity],
} as const;
type Model = keyof typeof PUBLISHED;

function fitFor(model: Model, [width, height]: readonly [number, number], maxEdge?: number) {
  const size = fitSize({ width, height }, { ...NONE, fit: parseFit(model), maxEdge });
  return [size.width, size.height];
}

function isRead(model: Model, [width, height]: readonly number[]): boolean {
  const [edge, tile, tiles] = PUBLISHED[model];
  return Math.max(width!, height!) <= edge &&
    Math.ceil(width! / tile) * Math.ceil(height! / tile) <= tiles;
}

/**
 * The vendor's rule as it is worded, tried edge by edge in whole numbers: the longest longer side
 * that fits, the other one to the nearest pixel, ties to even.
 */
function largestByTrying(
  model: Model,
  [width, height]: readonly [number, number],
  maxEdge = Infinity,
) {
  const longer = Math.max(width, height);
  const shorter = Math.min(width, height);
  for (let side = longer;; side--) {
    const doubled = 2 * side * shorter;
    const below = Math.floor(doubled / (2 * longer));
    const rest = doubled - below * 2 * longer;
    const other = Math.max(
      1,
      rest > longer || (rest === longer && below % 2 === 1) ? below + 1 : below,
    );
    const size = width >= height ? [side, other] : [other, side];
    if (side === 1 || (isRead(model, size) && Math.max(...size) <= maxEdge)) return size;
  }
}

Deno.test("fitSize() keeps the ratio within both bounds, and never enlarges", () => {
  const screen = { width: 1920, height: 1080 };
  const table = [
    [{}, [1920, 1080]],
    [{ maxWidth: 1280 }, [1280, 720]],
    [{ maxHeight: 540 }, [960, 540]],
    [{ maxWidth: 1280, maxHeight: 100 }, [178, 100]],
    [{ maxWidth: 5000 }, [1920, 1080]],
    [{ maxWidth: 1 }, [1, 1]],
    [{ maxEdge: 960 }, [960, 540]],
    [{ maxEdge: 960, maxHeight: 270 }, [480, 270]],
  ] as const;
  for (const [limits, [width, height]] of table) {
    expect(fitSize(screen, { ...NONE, ...limits })).toEqual({ width, height });
  }
  expect(fitSize({ width: 3000, height: 2 }, { ...NONE, maxWidth: 10 })).toEqual({
    width: 10,
    height: 1,
  });
});

Deno.test("fitSize() for Claude gives the sizes of the vendor's own function", () => {
  const table = [
    [[1280, 800], [1280, 800], [1280, 800]],
    [[1366, 768], [1366, 768], [1366, 768]],
    [[1512, 982], [1372, 891], [1512, 982]],
    [[1600, 900], [1456, 819], [1600, 900]],
    [[1920, 1080], [1456, 819], [1920, 1080]],
    [[1080, 1920], [819, 1456], [1080, 1920]],
    [[2560, 1440], [1456, 819], [2560, 1440]],
    [[3024, 1964], [1372, 891], [2380, 1546]],
    [[3840, 2160], [1456, 819], [2576, 1449]],
    [[5120, 1440], [1568, 441], [2576, 724]],
    [[903, 1758], [784, 1527], [903, 1758]],
    [[940, 1553], [847, 1400], [940, 1553]],
  ] as const;
  for (const [screen, standard, high] of table) {
    expect(fitFor("claude-standard", screen)).toEqual(standard);
    expect(fitFor("claude", screen)).toEqual(high);
  }
});

Deno.test("fitSize() for each model gives the largest size that it reads, of any shape", () => {
  const random = seededRandom(20_260_801);
  for (const model of Object.keys(PUBLISHED) as Model[]) {
    for (let i = 0; i < 2_000; i++) {
      const shape = [
        1 + Math.floor(random() ** 2 * 6_000),
        1 + Math.floor(random() ** 2 * 6_000),
      ] as const;
      const maxEdge = i % 4 === 0 ? 1 + Math.floor(random() * 3_000) : undefined;
      const size = fitFor(model, shape, maxEdge);
      expect({ model, shape, maxEdge, size })
        .toEqual({ model, shape, maxEdge, size: largestByTrying(model, shape, maxEdge) });
      expect(isRead(model, size)).toBe(true);
    }
  }
});

Deno.test("fitSize() for a model keeps every other bound too", () => {
  const fit = parseFit("claude");
  const screen = { width: 3840, height: 2160 };
  expect(fitSize(screen, { ...NONE, fit, maxEdge: 2000 })).toEqual({ width: 2000, height: 1125 });
  expect(fitSize(screen, { ...NONE, fit, maxWidth: 640 })).toEqual({ width: 640, height: 360 });
  expect(fitSize(screen, { ...NONE, fit, maxHeight: 90 })).toEqual({ width: 160, height: 90 });
  expect(fitSize(screen, { ...NONE, fit, maxEdge: 1 })).toEqual({ width: 1, height: 1 });
});

Deno.test("fitSize() leaves one pixel of a side that the ratio would take away", () => {
  for (
    const [model, edge] of [["claude", 2576], ["claude-standard", 1568], ["openai", 2048]] as const
  ) {
    expect(fitFor(model, [1, 20_000])).toEqual([1, edge]);
    expect(fitFor(model, [20_000, 1])).toEqual([edge, 1]);
    expect(fitFor(model, [1, 1])).toEqual([1, 1]);
  }
  expect(fitFor("gemini", [32_767, 3])).toEqual([3072, 1]);
});

Deno.test("parseFit() refuses everything else", () => {
  expect(parseFit("max_bytes:1000")).toEqual({ kind: "max_bytes", bytes: 1000 });
  for (
    const text of [
      "",
      "Claude",
      "claude-",
      "gpt",
      "toString",
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

/** A generator of the same numbers every time (mulberry32). */
function seededRandom(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
