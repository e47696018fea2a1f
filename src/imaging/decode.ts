/**
 * Decodes an image to search for, after its size has been checked: by fast-png (26 ms for a full HD
 * screen), libjpeg-turbo (21 ms) and libwebp. Our own code handles the rest: samples of other
 * sizes, palettes, and the limit on the inflated size of a PNG.
 */

import { decode } from "fast-png";
import { inflateSync } from "node:zlib";
import { joinBytes } from "../core/bytes.ts";
import { FieldError } from "../core/errors.ts";
import type { ImageFile } from "./image_file.ts";
import { decodeJpeg, openJpeg } from "./jpeg.ts";
import type { Picture } from "./picture.ts";
import { openWebpDecoder } from "./webp.ts";

/** An image with transparent pixels. */
export interface Template extends Picture {
  /** 1 where a pixel counts, 0 where it is transparent; `undefined` if all pixels count. */
  readonly mask: Uint8Array | undefined;
}

/** A valid image of an unsupported kind. */
class Unreadable extends Error {}

const INTERLACED = 1;
const INTERLACED_BITS =
  "The image is an interlaced PNG of less than 8 bits per sample, which is not supported: save it without interlacing";

/** Share of full opacity from which a pixel counts. */
const OPAQUE = 0.5;

/** @throws FieldError on `field` when the file is damaged. */
export async function decodeImage(
  image: ImageFile,
  field: string | readonly string[],
): Promise<Template> {
  let template: Template;
  try {
    template = await DECODERS[image.format](image);
  } catch (error) {
    if (error instanceof Unreadable) throw new FieldError(field, error.message);
    throw new FieldError(field, `The image is damaged: it is not a valid ${image.format} file`);
  }
  if (template.width === image.width && template.height === image.height) return template;
  throw new FieldError(field, "The image is damaged: its size differs from its header");
}

const DECODERS = {
  png: decodePng,
  async jpeg({ bytes }: ImageFile) {
    return { ...decodeJpeg(await openJpeg(), bytes), mask: undefined };
  },
  async webp({ bytes }: ImageFile) {
    const image = (await openWebpDecoder()).decode(bytes);
    if (!image) throw new Error("libwebp could not decode it");
    const { width, height, data } = image;
    return toTemplate({ width, height, channels: 4, max: 255, data });
  },
} as const;

function decodePng({ bytes, width, height }: ImageFile): Template {
  checkInflated(bytes, (width * 8 + 1) * height + 16 * height + 64);
  if (bytes[24]! < 8 && bytes[28] === INTERLACED) throw new Unreadable(INTERLACED_BITS);
  const png = decode(bytes);
  const { depth, channels, palette } = png;
  const data = depth < 8 ? unpack(png) : png.data;
  if (palette) {
    const colours = applyPalette(data, palette);
    return toTemplate({ width, height, channels: 4, max: 255, data: colours });
  }
  const template = toTemplate({ width, height, channels, max: 2 ** depth - 1, data });
  return png.transparency ? { ...template, mask: keyMask(data, png.transparency) } : template;
}

/**
 * The colour that means transparent (PNG specification, 11.3.1.1, tRNS of images without a
 * palette).
 */
function keyMask(data: ArrayLike<number>, key: Uint16Array): Uint8Array {
  return Uint8Array.from({ length: data.length / key.length }, (_, index) => {
    const isKey = key.every((value, channel) => data[index * key.length + channel] === value);
    return isKey ? 0 : 1;
  });
}

/**
 * The compressed rows of a PNG may inflate to far more than the picture needs, so they are first
 * inflated with a limit.
 */
function checkInflated(bytes: Uint8Array, maxOutputLength: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const isData = view.getUint32(at + 4) === 0x49444154;
    if (isData) parts.push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  inflateSync(joinBytes(parts), { maxOutputLength });
}

interface Samples {
  readonly width: number;
  readonly height: number;
  /** 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha. */
  readonly channels: number;
  readonly max: number;
  readonly data: ArrayLike<number>;
}

function toTemplate({ width, height, channels, max, data }: Samples): Template {
  const pixels = new Uint32Array(width * height);
  const mask = channels % 2 === 0 ? new Uint8Array(width * height) : undefined;
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2];
  const levels = max === 255
    ? data
    : Uint8Array.from(data, (value) => Math.round(value * 255 / max));
  for (let i = 0, at = 0; i < pixels.length; i++, at += channels) {
    pixels[i] = levels[at]! << 16 | levels[at + green]! << 8 | levels[at + blue]!;
    if (mask) mask[i] = data[at + channels - 1]! >= OPAQUE * max ? 1 : 0;
  }
  const whole = mask?.every((value) => value === 1) ?? true;
  return { width, height, pixels, mask: whole ? undefined : mask };
}

/** One number per pixel, from rows that pack several pixels into a byte. */
function unpack({ width, height, depth, data }: ReturnType<typeof decode>): Uint8Array {
  const perByte = 8 / depth;
  const stride = Math.ceil(width / perByte);
  return Uint8Array.from({ length: width * height }, (_, i) => {
    const column = i % width;
    const byte = data[Math.floor(i / width) * stride + Math.floor(column / perByte)]!;
    return byte >> (8 - depth * (column % perByte + 1)) & (2 ** depth - 1);
  });
}

function applyPalette(indexes: ArrayLike<number>, palette: readonly number[][]): Uint8Array {
  const out = new Uint8Array(indexes.length * 4);
  for (let i = 0; i < indexes.length; i++) {
    const [red = 0, green = 0, blue = 0, alpha = 255] = palette[indexes[i]!] ?? [];
    out.set([red, green, blue, alpha], i * 4);
  }
  return out;
}
