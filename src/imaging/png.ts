/**
 * PNG encoding (W3C Portable Network Graphics, third edition): 8-bit RGB or RGBA, compressed by the
 * runtime's zlib. We encode ourselves, because a full HD screen takes 9 ms this way, and 60 to 100
 * ms with fast-png, which we use for decoding.
 */

import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import type { Size } from "../core/geometry.ts";
import type { Picture } from "./picture.ts";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const COLOUR_TYPE_RGB = 2;
const COLOUR_TYPE_RGBA = 6;
const FILTER_UP = 2;
const BYTES_PER_PIXEL = 3;
/**
 * Pixels to compare with the row above in one step: on a screen, most of these pieces are equal.
 */
const PIECE_PIXELS = 480;
/**
 * Measured on screens: level 1 makes files nearly twice as large; level 3 takes a third longer to
 * save a tenth.
 */
const DEFLATE = { level: 2, memLevel: 9, chunkSize: 1024 * 1024 } as const;

/**
 * Reused for the next picture of the same size, so that a series of pictures creates no garbage.
 */
let spare = new Uint8Array();

export function encodePng(picture: Picture): Uint8Array<ArrayBuffer> {
  const { width, height } = picture;
  const length = (width * BYTES_PER_PIXEL + 1) * height;
  spare = spare.length === length ? spare.fill(0) : new Uint8Array(length);
  filterRows(picture, spare);
  return assemble({ width, height }, COLOUR_TYPE_RGB, spare);
}

/** For small ones, such as cursors. @param picture premultiplied colours, `0xAARRGGBB` */
export function encodePngWithAlpha({ pixels, width, height }: Picture): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array((width * 4 + 1) * height); // each begins with its filter: none
  for (let row = 0, at = 0; row < height; row++) {
    let to = row * (width * 4 + 1) + 1;
    for (let column = 0; column < width; column++, at++) {
      const pixel = pixels[at]!;
      const alpha = pixel >>> 24;
      for (const shift of [16, 8, 0]) {
        const colour = pixel >>> shift & 255;
        rows[to++] = alpha === 0 ? 0 : Math.min(255, Math.round(colour * 255 / alpha));
      }
      rows[to++] = alpha;
    }
  }
  return assemble({ width, height }, COLOUR_TYPE_RGBA, rows);
}

function assemble(size: Size, colourType: number, rows: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header(size, colourType)),
    chunk("IDAT", deflateSync(rows, DEFLATE)),
    chunk("IEND", new Uint8Array()),
  ]));
}

function header({ width, height }: Size, colourType: number): Uint8Array {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  bytes.set([8, colourType, 0, 0, 0], 8);
  return bytes;
}

/**
 * Writes every row as the differences from the row above, which is black for the first; `out` must
 * be all zero.
 */
function filterRows({ pixels, width, height }: Picture, out: Uint8Array): void {
  const bytes = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  let at = 0;
  for (let row = 0; row < height; row++) {
    let to = at * BYTES_PER_PIXEL + row;
    out[to++] = FILTER_UP;
    for (const end = at + width; at < end;) {
      const next = Math.min(at + PIECE_PIXELS, end);
      const isRepeated = row > 0 &&
        bytes.compare(bytes, (at - width) * 4, (next - width) * 4, at * 4, next * 4) === 0;
      if (isRepeated) {
        to += (next - at) * BYTES_PER_PIXEL;
        at = next;
        continue;
      }
      for (; at < next; at++, to += BYTES_PER_PIXEL) {
        const pixel = pixels[at]!;
        const above = row === 0 ? 0 : pixels[at - width]!;
        if (((pixel ^ above) & 0xffffff) === 0) continue;
        out[to] = (pixel >>> 16) - (above >>> 16);
        out[to + 1] = (pixel >>> 8) - (above >>> 8);
        out[to + 2] = pixel - above;
      }
    }
  }
}

/** Length, type, data, and the CRC of type and data. */
function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
