/** PNG encoding (W3C Portable Network Graphics, third edition): 8-bit RGB, compressed by zlib in its own threads. */

import { Buffer } from "node:buffer";
import { crc32, deflate } from "node:zlib";
import { promisify } from "node:util";
import type { Size } from "../core/geometry.ts";
import type { Picture } from "./picture.ts";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const COLOUR_TYPE_RGB = 2;
const FILTER_UP = 2;
const BYTES_PER_PIXEL = 3;
/** Measured on screens: level 1 makes files nearly twice as large, level 3 takes a third longer for a tenth. */
const DEFLATE = { level: 2, memLevel: 9, chunkSize: 256 * 1024 } as const;
/** Rows waiting to be filled again, so that a stream of pictures makes no garbage. */
const SPARE_BUFFERS = 3;

const deflateAsync = promisify(deflate) as (
  data: Uint8Array,
  options: typeof DEFLATE,
) => Promise<Uint8Array>;

const spare: Uint8Array[] = [];

/** The picture's pixels are not needed any more as soon as this has returned its promise. */
export function encodePng(picture: Picture): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height } = picture;
  const rows = takeBuffer((width * BYTES_PER_PIXEL + 1) * height);
  filterRows(picture, rows);
  return compress({ width, height }, rows);
}

async function compress(size: Size, rows: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const data = await deflateAsync(rows, DEFLATE);
    return new Uint8Array(Buffer.concat([
      SIGNATURE,
      chunk("IHDR", header(size)),
      chunk("IDAT", data),
      chunk("IEND", new Uint8Array()),
    ]));
  } finally {
    if (spare.length < SPARE_BUFFERS) spare.push(rows);
  }
}

function header({ width, height }: Size): Uint8Array {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  bytes.set([8, COLOUR_TYPE_RGB, 0, 0, 0], 8);
  return bytes;
}

/** Every row as differences to the row above, which is black for the first; `out` is all zero. */
function filterRows({ pixels, width, height }: Picture, out: Uint8Array): void {
  let to = 0;
  let at = 0;
  for (let row = 0; row < height; row++) {
    out[to++] = FILTER_UP;
    for (const end = at + width; at < end; at++, to += BYTES_PER_PIXEL) {
      const pixel = pixels[at]!;
      const above = row === 0 ? 0 : pixels[at - width]!;
      if (((pixel ^ above) & 0xffffff) === 0) continue;
      out[to] = (pixel >>> 16) - (above >>> 16);
      out[to + 1] = (pixel >>> 8) - (above >>> 8);
      out[to + 2] = pixel - above;
    }
  }
}

/** Zeros, in a buffer of this very size that is not in use any more, or in a new one. */
function takeBuffer(length: number): Uint8Array {
  const index = spare.findIndex((buffer) => buffer.length === length);
  if (index < 0) {
    spare.length = 0; // pictures have another size now
    return new Uint8Array(length);
  }
  return spare.splice(index, 1)[0]!.fill(0);
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
