/**
 * QOI encoding ("The Quite OK Image Format", specification version 1.0, qoiformat.org): lossless, in
 * one pass, several times faster than PNG, and as small for what is drawn by programs.
 */

import type { Region } from "../core/geometry.ts";
import type { Picture } from "./picture.ts";

const MAGIC = 0x716f6966; // "qoif"
const CHANNELS_RGB = 3;
const HEADER_BYTES = 14;
/** Seven zeros and a one. */
const END_BYTES = 8;
/** A pixel takes at most a tag and three bytes. */
const MOST_BYTES = 4;
const LONGEST_RUN = 62;

const OP_DIFF = 0x40;
const OP_LUMA = 0x80;
const OP_RUN = 0xc0;
const OP_RGB = 0xfe;

/** Reused, so that a series of pictures creates no garbage but their files. */
let scratch = new Uint8Array(0);
const seen = new Int32Array(64);

/** @param region within the picture */
export function encodeQoi(picture: Picture, region: Region): Uint8Array<ArrayBuffer> {
  const { pixels, width: stride } = picture;
  const { x, y, width, height } = region;
  const most = HEADER_BYTES + width * height * MOST_BYTES + END_BYTES;
  if (scratch.length < most) scratch = new Uint8Array(most);
  const out = scratch;
  writeHeader(out, width, height);
  seen.fill(-1); // no pixel is transparent, so none equals what the format begins with
  let to = HEADER_BYTES, previous = 0, run = 0;
  for (let row = y; row < y + height; row++) {
    let at = row * stride + x;
    for (const end = at + width; at < end; at++) {
      const pixel = pixels[at]! & 0xffffff;
      if (pixel === previous) {
        if (++run < LONGEST_RUN) continue;
        out[to++] = OP_RUN | (run - 1);
        run = 0;
        continue;
      }
      if (run > 0) out[to++] = OP_RUN | (run - 1);
      run = 0;
      const red = pixel >>> 16, green = pixel >>> 8 & 255, blue = pixel & 255;
      const slot = (red * 3 + green * 5 + blue * 7 + 255 * 11) & 63;
      if (seen[slot] === pixel) out[to++] = slot;
      else {
        seen[slot] = pixel;
        to = writeDifference(out, to, pixel, previous);
      }
      previous = pixel;
    }
  }
  if (run > 0) out[to++] = OP_RUN | (run - 1);
  out.fill(0, to, to + END_BYTES - 1);
  out[to + END_BYTES - 1] = 1;
  return out.slice(0, to + END_BYTES);
}

function writeHeader(out: Uint8Array<ArrayBuffer>, width: number, height: number): void {
  const view = new DataView(out.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(4, width);
  view.setUint32(8, height);
  out[12] = CHANNELS_RGB;
  out[13] = 0; // sRGB
}

/** Differences wrap around at 256. Returns where the next byte belongs. */
function writeDifference(out: Uint8Array, to: number, pixel: number, previous: number): number {
  const red = (((pixel >>> 16) - (previous >>> 16)) << 24) >> 24;
  const green = (((pixel >>> 8) - (previous >>> 8)) << 24) >> 24;
  const blue = ((pixel - previous) << 24) >> 24;
  if (red >= -2 && red < 2 && green >= -2 && green < 2 && blue >= -2 && blue < 2) {
    out[to] = OP_DIFF | (red + 2) << 4 | (green + 2) << 2 | (blue + 2);
    return to + 1;
  }
  const redOff = red - green, blueOff = blue - green;
  const isNear = redOff >= -8 && redOff < 8 && blueOff >= -8 && blueOff < 8;
  if (isNear && green >= -32 && green < 32) {
    out[to] = OP_LUMA | (green + 32);
    out[to + 1] = (redOff + 8) << 4 | (blueOff + 8);
    return to + 2;
  }
  out[to] = OP_RGB;
  out[to + 1] = pixel >>> 16;
  out[to + 2] = pixel >>> 8;
  out[to + 3] = pixel;
  return to + 4;
}
