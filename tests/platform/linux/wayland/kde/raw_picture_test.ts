/** Pictures of KWin in the formats of Qt. */

import { expect } from "expect";
import { readFormat, toPicture } from "../../../../../src/platform/linux/wayland/kde/screen.ts";

/** Two rows of two pixels with one more word of padding each, in this order of bytes. */
function rows(order: "bgrx" | "rgbx"): Uint8Array<ArrayBuffer> {
  const pixels = [[1, 2, 3], [4, 5, 6], [0, 0, 0], [7, 8, 9], [250, 251, 252], [0, 0, 0]];
  const bytes = pixels.map(([r, g, b]) => order === "bgrx" ? [b!, g!, r!, 255] : [r!, g!, b!, 255]);
  return new Uint8Array(bytes.flat());
}

const EXPECTED = [0x010203, 0x040506, 0x070809, 0xfafbfc];

for (const format of [4, 5, 6, 16, 17, 18]) {
  Deno.test(`toPicture() reads format ${format} of QImage, without the padding of rows`, () => {
    const raw = readFormat({ type: "raw", width: 2, height: 2, stride: 12, format });
    const { width, height, pixels } = toPicture(rows(format < 7 ? "bgrx" : "rgbx"), raw);
    expect([width, height]).toEqual([2, 2]);
    expect([...pixels].map((pixel) => pixel & 0xffffff)).toEqual(EXPECTED);
  });
}

const GOOD = { type: "raw", width: 2, height: 2, stride: 8, format: 5 };
for (
  const wrong of [
    undefined,
    null,
    {},
    { ...GOOD, type: "png" },
    { ...GOOD, format: 7 },
    { ...GOOD, stride: 4 },
    { ...GOOD, stride: 9 },
    { ...GOOD, width: 0 },
    { ...GOOD, width: -1 },
    { ...GOOD, height: 2 ** 40 },
    { ...GOOD, height: "2" },
  ]
) {
  Deno.test(`readFormat() refuses ${JSON.stringify(wrong)}`, () => {
    expect(() => readFormat(wrong)).toThrow("unknown format");
  });
}
