/**
 * The formats of image files, and what the first bytes of one say. We parse them ourselves, because
 * an oversized image must be rejected before it is decompressed, while fast-png and libwebp report
 * the size only with the pixels (26 ms for a full HD screen; this takes less than 1 µs).
 */

import type { Size } from "../core/geometry.ts";

export const FORMATS = ["png", "jpeg", "webp"] as const;
export type Format = typeof FORMATS[number];

/**
 * Most segments and padding bytes before the picture: a file of nothing else must not take long.
 */
const MAX_STEPS = 100_000;

interface ImageHeader extends Size {
  readonly format: Format;
}

export interface ImageFile extends ImageHeader {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Parses the first bytes; `undefined` for a file in another format. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = pngSize(view) ?? jpegSize(view) ?? webpSize(view);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // the file ends within the header
    throw error;
  }
}

/** Signature and IHDR (PNG specification, 5.2 and 11.2.2). */
function pngSize(view: DataView): ImageHeader | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return undefined;
  return { format: "png", width: view.getUint32(16), height: view.getUint32(20) };
}

/** The start-of-frame segment (ITU-T T.81, B.2.2), after any number of others. */
function jpegSize(view: DataView): ImageHeader | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  let steps = 0;
  for (let at = 2;; at += 2 + view.getUint16(at + 2)) {
    while (view.getUint16(at) === 0xffff && ++steps < MAX_STEPS) at++; // padding
    if (++steps >= MAX_STEPS) return undefined;
    const marker = view.getUint16(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf &&
      ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (marker < 0xff00) return undefined;
    if (isFrame) {
      return { format: "jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
  }
}

/** The first chunk of the RIFF file (WebP container specification; RFC 6386, 9.1; lossless specification, 3). */
function webpSize(view: DataView): ImageHeader | undefined {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return undefined;
  const int24 = (at: number) => view.getUint16(at, true) | view.getUint8(at + 2) << 16;
  switch (view.getUint32(12)) {
    case 0x56503858: // VP8X
      return { format: "webp", width: int24(24) + 1, height: int24(27) + 1 };
    case 0x56503820: // VP8
      return {
        format: "webp",
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case 0x5650384c: { // VP8L
      const bits = view.getUint32(21, true);
      return { format: "webp", width: (bits & 0x3fff) + 1, height: (bits >>> 14 & 0x3fff) + 1 };
    }
    default:
      return undefined;
  }
}
