/** Encodes parts of a picture, each once for all viewers: exactly, or faster where it moves. */

import type { Region, Size } from "../../core/geometry.ts";
import { scaleSize } from "../../imaging/fit.ts";
import { encodeJpeg, openJpeg } from "../../imaging/jpeg.ts";
import { cutOut, type Picture } from "../../imaging/picture.ts";
import { encodeQoi } from "../../imaging/qoi.ts";
import { scaleDown } from "../../imaging/scale.ts";
import { CODECS, type Encoded } from "./message.ts";

const JPEG_QUALITY = 70;
/** What is smaller is sent exactly: it costs little. */
const LEAST_LOSSY_PIXELS = 2 * 64 * 64;
/** Less than this part of its pixels equal their left neighbour in a photo or a video. */
const PHOTO_SHARE = 0.5;
/** Every so manieth row is looked at. */
const SAMPLED_ROWS = 8;
/** Time for the JPEG files of one picture; a picture that takes longer gets half of its resolution. */
const BUDGET_MS = 16;
/** How much the newest time counts. */
const WEIGHT = 0.2;
/** What was encoded of a picture is kept for other viewers until it changes, up to this size. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** Of a photograph: the most pixels of a side, and for how long the same one is good enough. */
const MAX_SIDE = 960;
const SHARED_MS = 100;

/** A small picture of all of it. */
export interface Photograph {
  /** When it was made, on the clock of its thread: it is the same as one of the same time. */
  readonly at: number;
  /** Of the whole picture. */
  readonly size: Size;
  /** A JPEG file of at most 960 pixels to each side. */
  readonly file: Uint8Array<ArrayBuffer>;
}

type Codec = Awaited<ReturnType<typeof openJpeg>>;

export class Encoder {
  readonly #kept = new Map<string, Encoded>();
  #keptBytes = 0;
  /** Pixels of this picture that were encoded with losses, and of the one before. */
  #pixels = 0;
  #pixelsBefore = 0;
  /** Of JPEG in full resolution; 0 while it is not known. */
  #msPerPixel = 0;
  #changedAt = -Infinity;
  #photograph: Photograph | undefined;

  private constructor(private readonly codec: Codec) {}

  static async open(): Promise<Encoder> {
    return new Encoder(await openJpeg());
  }

  /** The picture has changed: what was encoded is no longer true. */
  beginPicture(): void {
    this.forget();
    this.#changedAt = performance.now();
    this.#pixelsBefore = this.#pixels;
    this.#pixels = 0;
  }

  forget(): void {
    this.#kept.clear();
    this.#keptBytes = 0;
  }

  encode(picture: Picture, region: Region, how: { readonly isExact: boolean }): Encoded {
    const { x, y, width, height } = region;
    const isLossy = !how.isExact && isPhoto(picture, region);
    const key = [x, y, width, height, isLossy].join();
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const encoded: Encoded = isLossy
      ? { codec: CODECS.jpeg, bytes: this.#encodeLossy(picture, region), isLossy }
      : { codec: CODECS.qoi, bytes: encodeQoi(picture, region), isLossy };
    this.#keptBytes += encoded.bytes.length;
    if (this.#keptBytes > MAX_KEPT_BYTES) this.forget();
    else this.#kept.set(key, encoded);
    return encoded;
  }

  /** Of the picture as it is, or was at most 100 ms ago. */
  photograph(picture: Picture): Photograph {
    const at = performance.now();
    const last = this.#photograph;
    const { width, height } = picture;
    if (
      last?.size.width === width && last.size.height === height &&
      (last.at > this.#changedAt || at - last.at < SHARED_MS)
    ) return last;
    const to = scaleSize(picture, Math.min(1, MAX_SIDE / Math.max(width, height)));
    const small = scaleDown(picture, { from: picture, to, window: { x: 0, y: 0, ...to } });
    const file = encodeJpeg(this.codec, small, JPEG_QUALITY);
    return this.#photograph = { at, size: { width, height }, file };
  }

  #encodeLossy(picture: Picture, region: Region): Uint8Array {
    const pixels = region.width * region.height;
    this.#pixels += pixels;
    if (this.#pixelsBefore * this.#msPerPixel > BUDGET_MS) {
      return encodeJpeg(this.codec, halve(picture, region), JPEG_QUALITY);
    }
    const began = performance.now();
    const bytes = encodeJpeg(this.codec, cutOut(picture, region), JPEG_QUALITY);
    const took = (performance.now() - began) / pixels;
    this.#msPerPixel += (took - this.#msPerPixel) * (this.#msPerPixel === 0 ? 1 : WEIGHT);
    return bytes;
  }
}

/** What programs draw has many equal neighbours; photos and videos have few. */
function isPhoto({ pixels, width: stride }: Picture, region: Region): boolean {
  const { x, y, width, height } = region;
  if (width * height < LEAST_LOSSY_PIXELS || width < 2) return false;
  let equal = 0, all = 0;
  for (let row = y + (SAMPLED_ROWS >> 1); row < y + height; row += SAMPLED_ROWS) {
    let at = row * stride + x + 1;
    for (const end = at + width - 1; at < end; at++, all++) {
      if (((pixels[at]! ^ pixels[at - 1]!) & 0xffffff) === 0) equal++;
    }
  }
  return all > 0 && equal < all * PHOTO_SHARE;
}

/** Half as wide and high: each pixel is the mean of four. A single last row or column is left out. */
function halve({ pixels, width: stride }: Picture, region: Region): Picture {
  const width = Math.max(1, region.width >> 1);
  const height = Math.max(1, region.height >> 1);
  const right = region.width > 1 ? 1 : 0;
  const below = region.height > 1 ? stride : 0;
  const out = new Uint32Array(width * height);
  for (let row = 0, to = 0; row < height; row++) {
    let from = (region.y + 2 * row) * stride + region.x;
    for (let column = 0; column < width; column++, from += 2) {
      const upper = mean(pixels[from]!, pixels[from + right]!);
      out[to++] = mean(upper, mean(pixels[from + below]!, pixels[from + below + right]!));
    }
  }
  return { width, height, pixels: out };
}

/** Of each of the three colours, rounded down. */
function mean(one: number, other: number): number {
  return (one & other & 0xffffff) + (((one ^ other) & 0xfefefe) >>> 1);
}
