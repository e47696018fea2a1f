/** A picture file that a compositor can show as its background, and whose every pixel is known. */

import { crc32, deflateSync } from "node:zlib";
import type { Size } from "../../../src/core/geometry.ts";

/** No two neighbours are alike; `seed` makes another pattern. */
export function patternAt(x: number, y: number, seed = 0): number {
  return (x * 7 + seed & 255) << 16 | (y * 11 & 255) << 8 | (x ^ y) & 255;
}

/** The pattern as a PNG file of 8-bit RGB. */
export function encodePattern({ width, height }: Size, seed = 0): Uint8Array {
  const rows = new Uint8Array((width * 3 + 1) * height);
  for (let y = 0, at = 0; y < height; y++) {
    at++; // no filter
    for (let x = 0; x < width; x++) {
      const colour = patternAt(x, y, seed);
      rows[at++] = colour >> 16;
      rows[at++] = colour >> 8;
      rows[at++] = colour;
    }
  }
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, width);
  new DataView(header.buffer).setUint32(4, height);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  return Uint8Array.from([
    ...signature,
    ...chunk("IHDR", header),
    ...chunk("IDAT", deflateSync(rows)),
    ...chunk("IEND", new Uint8Array(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}
