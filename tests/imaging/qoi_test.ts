/** QOI files are exact, and another decoder reads them. */

import { expect } from "expect";
import { decodeQoi } from "../../src/console/page/picture.ts";
import type { Picture } from "../../src/imaging/picture.ts";
import { encodeQoi } from "../../src/imaging/qoi.ts";
import { testFolder } from "../support/folder.ts";
import { randomFrom } from "../support/live_viewer.ts";
import { run } from "../support/desktop.ts";

const SIZE = { width: 131, height: 67 };

/** Each makes every kind of piece that the format has, or far more of one than of the others. */
const PICTURES: Record<string, (x: number, y: number, random: () => number) => number> = {
  "black, which is what the format begins with": () => 0,
  "one colour": () => 0x123456,
  "noise": (_x, _y, random) => random() * 0x1000000,
  "small steps that wrap around": (x, y) => (x * 0x010101 + y * 0x010001) & 0xffffff,
  "steps of a photo": (x, y) => ((x * 9 & 255) << 16 | (x * 12 + y & 255) << 8 | (x * 7 & 255)),
  "few colours in long and short runs": (x, y, random) =>
    [0, 0xffffff, 0xff0000, 0x00ff00][Math.floor(random() * 1.2) || (x >> 5) + y & 3]!,
  "colours that share a place of the index": (x) => x % 2 === 0 ? 0x400000 : 0x000040,
};

for (const [name, colour] of Object.entries(PICTURES)) {
  const picture = draw(colour);
  const all = { x: 0, y: 0, ...SIZE };

  Deno.test(`encodeQoi() keeps every pixel of ${name}`, () => {
    expect(decoded(encodeQoi(picture, all), SIZE)).toEqual(colours(picture));
  });

  Deno.test(`ffmpeg reads ${name}`, async () => {
    await using folder = await testFolder();
    const path = `${folder.path}/picture.qoi`;
    await Deno.writeFile(path, encodeQoi(picture, all));
    const raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"];
    const rgb = await run("ffmpeg", ["-v", "error", "-c:v", "qoi", "-i", path, ...raw]);
    const expected = colours(picture).flatMap((c) => [c >>> 16, c >>> 8 & 255, c & 255]);
    expect(rgb).toEqual(Uint8Array.from(expected));
  });
}

Deno.test("encodeQoi() encodes a part of a picture, whatever the highest byte of its pixels", () => {
  const picture = draw((x, y) => 0xff000000 | x << 8 | y);
  const part = encodeQoi(picture, { x: 17, y: 5, width: 20, height: 3 });
  const expected = Array.from(
    { length: 60 },
    (_, at) => 17 + at % 20 << 8 | 5 + Math.floor(at / 20),
  );
  expect(decoded(part, { width: 20, height: 3 })).toEqual(expected);
});

Deno.test("encodeQoi() writes nothing into files that it made before", () => {
  const picture = draw(PICTURES["noise"]!);
  const first = encodeQoi(picture, { x: 0, y: 0, ...SIZE });
  const copy = first.slice();
  encodeQoi(draw(() => 0xffffff), { x: 0, y: 0, ...SIZE });
  expect(first).toEqual(copy);
});

Deno.test("decodeQoi() refuses a file of another size, and survives one that is cut off", () => {
  const file = encodeQoi(draw(PICTURES["noise"]!), { x: 0, y: 0, ...SIZE });
  expect(() => decodeQoi(file, 130, 67)).toThrow(RangeError);
  expect(() => decodeQoi(file.subarray(0, 10), 131, 67)).toThrow(RangeError);
  for (const length of [14, 15, 16, 17, 1_000]) {
    expect(decodeQoi(file.subarray(0, length), 131, 67)).toHaveLength(131 * 67 * 4);
  }
});

function draw(colour: (x: number, y: number, random: () => number) => number): Picture {
  const random = randomFrom(7);
  const { width, height } = SIZE;
  const pixels = Uint32Array.from(
    { length: width * height },
    (_, at) => colour(at % width, Math.floor(at / width), random),
  );
  return { width, height, pixels };
}

function colours({ pixels }: Picture): number[] {
  return [...pixels].map((pixel) => pixel & 0xffffff);
}

function decoded(file: Uint8Array, { width, height }: { width: number; height: number }): number[] {
  const rgba = decodeQoi(file, width, height);
  return Array.from({ length: width * height }, (_, at) => {
    const [red, green, blue, alpha] = rgba.subarray(at * 4, at * 4 + 4);
    expect(alpha).toBe(255);
    return red! << 16 | green! << 8 | blue!;
  });
}
