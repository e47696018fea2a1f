/** What is remembered of regions, and how much memory that takes. */

import { expect } from "expect";
import { type RegionPicture, RegionPictures, rowAt } from "../../src/imaging/region_pictures.ts";
import type { Picture, Region } from "../../src/platform/types/mod.ts";

const REGION = { x: 7, y: 5, width: 50, height: 150 };
const BYTES = REGION.width * REGION.height * 4;

function plain({ width, height }: Region, pixel: number): Picture {
  return { width, height, pixels: new Uint32Array(width * height).fill(pixel) };
}

function contents(memory: RegionPicture): number[] {
  return Array.from({ length: memory.region.height }, (_, row) => [...rowAt(memory, row)]).flat();
}

/** A hundred memories of the same region, beside what each of them has to hold. */
function remembered() {
  const memories = new RegionPictures();
  const names = Array.from({ length: 100 }, (_, i) => `wait ${i}`);
  for (const name of names) memories.set(name, REGION, plain(REGION, 1));
  return { memories, all: names.map((name) => memories.get(name)!) };
}

Deno.test("RegionPictures keeps equal pictures of a region once, also after the same change", () => {
  const { memories, all } = remembered();
  expect(memories.size).toBe(BYTES);
  const area = { x: 20, y: 60, width: 10, height: 90 };
  for (const memory of all) memories.update(memory, area, plain(area, 2));
  expect(memories.size).toBe(BYTES);
});

Deno.test("RegionPictures changes one picture and no other", () => {
  const { memories, all: [first, second] } = remembered();
  const expected = contents(first!);
  for (const [i, area] of AREAS.entries()) {
    memories.update(first!, area, plain(area, i + 2));
    for (let y = area.y - REGION.y; y < area.y - REGION.y + area.height; y++) {
      const start = y * REGION.width + area.x - REGION.x;
      expected.fill(i + 2, start, start + area.width);
    }
    expect(contents(first!)).toEqual(expected);
    expect(contents(second!).every((pixel) => pixel === 1)).toBe(true);
  }
});

/** At the edges of the region and of the strips, and over all. */
const AREAS = [
  { x: 7, y: 5, width: 1, height: 1 },
  { x: 56, y: 154, width: 1, height: 1 },
  { x: 10, y: 68, width: 5, height: 1 },
  { x: 10, y: 69, width: 5, height: 1 },
  { x: 10, y: 60, width: 5, height: 80 },
  REGION,
];

Deno.test("RegionPictures holds nothing after all are deleted, and tells regions apart", () => {
  const memories = new RegionPictures();
  memories.set("a", REGION, plain(REGION, 1));
  memories.set("b", { ...REGION, x: 8 }, plain(REGION, 1));
  expect(memories.size).toBe(2 * BYTES);
  memories.delete("a");
  memories.delete("b");
  expect(memories.size).toBe(0);
});
