/** Pictures as most programs of Windows take them: a device-independent bitmap without its file header. */

import {
  BI_BITFIELDS,
  BI_RGB,
  BITMAPINFOHEADER as HEADER,
} from "../../../../ffi/windows/clipboard.ts";
import { ValueFault } from "../../../core/errors.ts";
import { decodeImage } from "../../../imaging/decode.ts";
import { type ImageFile, readImageHeader } from "../../../imaging/header.ts";
import type { Picture } from "../../../imaging/picture.ts";
import { encodePng } from "../../../imaging/png.ts";

/** Three masks behind the header. */
const MASKS_BYTES = 12;

/** More pixels would take more memory than is right for a copy. */
const MAX_PIXELS = 50_000_000;

/**
 * 32 bits per pixel, the bottom row first; `undefined` for a PNG that is damaged, huge, or of a kind
 * that is not read here.
 */
export async function bitmapOfPng(
  png: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const header = readImageHeader(png);
  if (header === undefined || header.width * header.height > MAX_PIXELS) return undefined;
  const picture = await decodeIfValid({ ...header, bytes: png });
  return picture && toBitmap(picture);
}

async function decodeIfValid(image: ImageFile): Promise<Picture | undefined> {
  try {
    return await decodeImage(image, "png");
  } catch (error) {
    if (error instanceof ValueFault) return undefined;
    throw error;
  }
}

function toBitmap({ width, height, pixels }: Picture): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER.size + width * height * 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(HEADER.biSize, HEADER.size, true);
  view.setInt32(HEADER.biWidth, width, true);
  view.setInt32(HEADER.biHeight, height, true);
  view.setUint16(HEADER.biPlanes, 1, true);
  view.setUint16(HEADER.biBitCount, 32, true);
  view.setUint32(HEADER.biSizeImage, width * height * 4, true);
  const rows = new Uint32Array(bytes.buffer, HEADER.size);
  for (let y = 0; y < height; y++) {
    rows.set(pixels.subarray(y * width, (y + 1) * width), (height - 1 - y) * width);
  }
  return bytes;
}

/** `undefined` for bitmaps with palettes, or compressed ones, which no program of today copies. */
export function pngOfBitmap(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  const picture = readBitmap(bytes);
  return picture && encodePng(picture);
}

function readBitmap(bytes: Uint8Array<ArrayBuffer>): Picture | undefined {
  if (bytes.length < HEADER.size) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = view.getInt32(HEADER.biWidth, true);
  const signedHeight = view.getInt32(HEADER.biHeight, true);
  const height = Math.abs(signedHeight);
  const step = view.getUint16(HEADER.biBitCount, true) / 8;
  const compression = view.getUint32(HEADER.biCompression, true);
  const size = view.getUint32(HEADER.biSize, true);
  const hasMasks = compression === BI_BITFIELDS && size === HEADER.size;
  const start = size + (hasMasks ? MASKS_BYTES : 0) + view.getUint32(HEADER.biClrUsed, true) * 4;
  const stride = Math.ceil(width * step / 4) * 4;
  if (step !== 3 && step !== 4 || compression !== BI_RGB && compression !== BI_BITFIELDS) return;
  if (width <= 0 || height === 0 || start + stride * height > bytes.length) return undefined;
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = start + stride * (signedHeight < 0 ? y : height - 1 - y);
    for (let x = 0; x < width; x++) {
      const at = row + x * step;
      pixels[y * width + x] = bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16;
    }
  }
  return { width, height, pixels };
}
