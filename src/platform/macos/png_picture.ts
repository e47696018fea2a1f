/** Decodes the PNG files of screencapture. */

import { decode } from "fast-png";
import { ServiceError } from "../../core/errors.ts";
import type { Picture, Region } from "../types/mod.ts";

/** @throws ServiceError `unavailable`: not a PNG file in colour. */
export function decodePicture(file: Uint8Array): Picture {
  try {
    return toPicture(decode(file));
  } catch (cause) {
    const text = `Cannot take a picture: "screencapture" wrote a file that is no PNG picture`;
    throw new ServiceError("unavailable", text, { cause });
  }
}

/** Returns a part of a picture, or the picture itself when the region covers all of it. */
export function cutOut(picture: Picture, { x, y, width, height }: Region): Picture {
  if (width === picture.width && height === picture.height) return picture;
  const pixels = new Uint32Array(width * height);
  for (let row = 0; row < height; row++) {
    const from = (y + row) * picture.width + x;
    pixels.set(picture.pixels.subarray(from, from + width), row * width);
  }
  return { width, height, pixels };
}

function toPicture({ width, height, channels, depth, data }: ReturnType<typeof decode>): Picture {
  if (channels < 3 || (depth !== 8 && depth !== 16)) throw new Error("no colours");
  const pixels = new Uint32Array(width * height);
  const shift = depth - 8;
  for (let i = 0, at = 0; i < pixels.length; i++, at += channels) {
    pixels[i] = (data[at]! >> shift) << 16 | (data[at + 1]! >> shift) << 8 |
      (data[at + 2]! >> shift);
  }
  return { width, height, pixels };
}
