/** Converts the raw pictures of KWin, which are in formats of Qt's QImage, to pictures. */

import { ServiceError } from "../../../../core/errors.ts";
import type { Picture } from "../../../types/mod.ts";

/** What KWin says about a picture that it sends. */
export interface RawFormat {
  readonly width: number;
  readonly height: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
  /** A value of `QImage::Format`. */
  readonly format: number;
}

/** No screen is larger, and no buffer should be. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** Bytes in the order blue, green, red, unused: RGB32, ARGB32 and ARGB32_Premultiplied. */
const BLUE_FIRST = [4, 5, 6];
/** Bytes in the order red, green, blue, unused: RGBX8888, RGBA8888, RGBA8888_Premultiplied. */
const RED_FIRST = [16, 17, 18];

/**
 * Checks the answer of KWin.
 * @throws ServiceError `unsupported`
 */
export function readFormat(answer: unknown): RawFormat {
  const { type, width, height, stride, format } = (answer ?? {}) as Record<string, unknown>;
  const known = type === "raw" && isCount(width) && isCount(height) && isCount(stride) &&
    isCount(format) && stride >= 4 * width && stride % 4 === 0 && stride * height <= MAX_BYTES &&
    [...BLUE_FIRST, ...RED_FIRST].includes(format);
  if (!known) {
    throw new ServiceError(
      "unsupported",
      `Cannot read the screen: KWin sends pictures of an unknown format (${format})`,
    );
  }
  return { width, height, stride, format };
}

/**
 * The picture in these bytes: a view of them where it can be, so it changes with them.
 * @param bytes `stride` times `height`
 */
export function toPicture(bytes: Uint8Array<ArrayBuffer>, raw: RawFormat): Picture {
  const { width, height, stride, format } = raw;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, stride / 4 * height);
  if (RED_FIRST.includes(format)) swapRedAndBlue(words);
  const step = stride / 4;
  for (let row = 1; row < height && step !== width; row++) {
    words.copyWithin(row * width, row * step, row * step + width);
  }
  return { width, height, pixels: words.subarray(0, width * height) };
}

function swapRedAndBlue(words: Uint32Array): void {
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    words[i] = (word & 0xff00) | (word & 0xff) << 16 | (word >>> 16) & 0xff;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && value as number > 0;
}
