/** encodePng(): decoded by hand, every byte comes back. */

import { expect } from "expect";
import { inflateSync } from "node:zlib";
import { encodePng, encodePngWithAlpha } from "../../src/imaging/png.ts";
import { decodePng } from "../support/png.ts";

/** Bytes that repeat nowhere near. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (state * 48271) % 2147483647;
    return state >> 8;
  });
}

/** With something in the byte that does not count. */
function packed(rgb: Uint8Array): Uint32Array {
  return Uint32Array.from(
    { length: rgb.length / 3 },
    (_, i) => 0xab000000 | rgb[3 * i]! << 16 | rgb[3 * i + 1]! << 8 | rgb[3 * i + 2]!,
  );
}

for (const [width, height] of [[1, 1], [1, 7], [7, 1], [33, 17], [200, 150]] as const) {
  Deno.test(`encodePng() encodes ${width}x${height} pixels without loss`, () => {
    const flat = new Uint8Array(width * height * 3).fill(200);
    for (const rgb of [flat, noise(width * height * 3)]) {
      const decoded = decodePng(encodePng({ width, height, pixels: packed(rgb) }));
      expect([decoded.width, decoded.height]).toEqual([width, height]);
      expect(decoded.rgb).toEqual(rgb);
    }
  });
}

Deno.test("encodePng() makes a screen without much on it small", () => {
  const [width, height] = [640, 480];
  const file = encodePng({ width, height, pixels: new Uint32Array(width * height) });
  expect(file.length).toBeLessThan(20_000);
});

Deno.test("encodePngWithAlpha() writes colours that are not multiplied with their alpha", () => {
  const pixels = Uint32Array.of(
    0xff102030,
    0x80804000,
    0x00000000,
    0x01010101,
    0x40ffffff,
    0x00123456,
  );
  const file = encodePngWithAlpha({ width: 3, height: 2, pixels });
  const view = new DataView(file.buffer);
  const length = view.getUint32(33); // after the signature and the header
  expect([...file.subarray(24, 29)]).toEqual([8, 6, 0, 0, 0]);
  expect(new TextDecoder().decode(file.subarray(37, 41))).toBe("IDAT");
  expect([...inflateSync(file.subarray(41, 41 + length))]).toEqual([
    ...[0, 0x10, 0x20, 0x30, 255, 255, 128, 0, 128, 0, 0, 0, 0],
    ...[0, 255, 255, 255, 1, 255, 255, 255, 64, 0, 0, 0, 0],
  ]);
});
