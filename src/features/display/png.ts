/** PNG encoding (W3C Portable Network Graphics, third edition): 8-bit RGB, compressed off the main thread by zlib. */

import { Buffer } from "node:buffer";
import { crc32, deflate } from "node:zlib";
import { promisify } from "node:util";
import type { Picture } from "../../platform/types.ts";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const COLOUR_TYPE_RGB = 2;
const FILTER_SUB = 1;
const FILTER_UP = 2;
const BYTES_PER_PIXEL = 3;
/** Fast: pictures of screens compress well enough, and the next request waits for nothing. */
const LEVEL = 2;

const deflateAsync = promisify(deflate) as (
  data: Uint8Array,
  options: { level: number },
) => Promise<Uint8Array>;

export async function encodePng(picture: Picture): Promise<Uint8Array<ArrayBuffer>> {
  const data = await deflateAsync(filterRows(picture), { level: LEVEL });
  return new Uint8Array(Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header(picture)),
    chunk("IDAT", data),
    chunk("IEND", new Uint8Array()),
  ]));
}

function header({ width, height }: Picture): Uint8Array {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  bytes.set([8, COLOUR_TYPE_RGB, 0, 0, 0], 8);
  return bytes;
}

/** The first row as differences to the left, all others as differences to the row above. */
function filterRows({ rgb, width, height }: Picture): Uint8Array {
  const stride = width * BYTES_PER_PIXEL;
  const out = new Uint8Array((stride + 1) * height);
  out[0] = FILTER_SUB;
  for (let i = 0; i < stride; i++) {
    out[1 + i] = rgb[i]! - (i < BYTES_PER_PIXEL ? 0 : rgb[i - BYTES_PER_PIXEL]!);
  }
  for (let row = 1; row < height; row++) {
    const from = row * stride;
    const to = row * (stride + 1);
    out[to] = FILTER_UP;
    for (let i = 0; i < stride; i++) out[to + 1 + i] = rgb[from + i]! - rgb[from + i - stride]!;
  }
  return out;
}

/** Length, type, data, CRC of type and data. */
function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
