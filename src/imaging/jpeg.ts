/**
 * JPEG encoding and decoding with libjpeg-turbo, compiled to WebAssembly, which has no faster
 * alternative here: 25 ms for a full HD screen. Our own code only converts pixels to and from its
 * format.
 */

import createCodec from "@cornerstonejs/codec-libjpeg-turbo-8bit/wasmjs";
import type { Size } from "../core/geometry.ts";
import { once } from "../core/shared_run.ts";
import type { Picture } from "./picture.ts";

/** From this quality on, colours have full resolution; below, half of it in both directions. */
const FULL_COLOUR_QUALITY = 90;
/**
 * `TJSAMP_444` and `TJSAMP_420` of turbojpeg.h, each with its block size in pixels and the most
 * bytes needed per pixel.
 */
const SAMPLING = {
  full: { code: 0, block: 8, bytesPerPixel: 6 },
  half: { code: 2, block: 16, bytesPerPixel: 3 },
} as const;
/** The most bytes that the headers of a file need, by `tjBufSize` of turbojpeg.h. */
const HEADER_BYTES = 2_048;
const MAX_COMPONENTS = 255;

interface FrameInfo extends Size {
  readonly bitsPerSample: number;
  readonly componentCount: number;
  readonly isSigned: boolean;
}

interface Encoder {
  setQuality(quality: number): void;
  setSubSampling(sampling: number): void;
  setProgressive(progressive: boolean): void;
  /** The buffer for the decoded picture: red, green, blue. */
  getDecodedBuffer(frame: FrameInfo): Uint8Array;
  encode(): void;
  getEncodedBuffer(): Uint8Array;
  delete(): void;
}

interface Decoder {
  getEncodedBuffer(length: number): Uint8Array;
  decode(): void;
  getFrameInfo(): FrameInfo;
  getDecodedBuffer(): Uint8Array;
  delete(): void;
}

interface Codec {
  readonly JPEGEncoder: new () => Encoder;
  readonly JPEGDecoder: new () => Decoder;
}

/** Loads the codec once; the other functions of this file need it. */
export const openJpeg: () => Promise<Codec> = once(loadCodec);

/** @param quality 1 to 100 */
export function encodeJpeg(
  { JPEGEncoder }: Codec,
  { pixels, width, height }: Picture,
  quality: number,
): Uint8Array<ArrayBuffer> {
  const encoder = new JPEGEncoder();
  try {
    const sampling = quality < FULL_COLOUR_QUALITY ? SAMPLING.half : SAMPLING.full;
    encoder.setQuality(quality);
    encoder.setSubSampling(sampling.code);
    encoder.setProgressive(false);
    const frame = { width, height, ...roomFor({ width, height }, sampling), isSigned: false };
    copyRgb(pixels, encoder.getDecodedBuffer(frame).subarray(0, pixels.length * 3));
    encoder.encode();
    return new Uint8Array(encoder.getEncodedBuffer());
  } finally {
    encoder.delete();
  }
}

/** @throws Error when the file is damaged. */
export function decodeJpeg({ JPEGDecoder }: Codec, file: Uint8Array): Picture {
  const decoder = new JPEGDecoder();
  try {
    decoder.getEncodedBuffer(file.length).set(file);
    decoder.decode();
    const { width, height, componentCount } = decoder.getFrameInfo();
    const data = decoder.getDecodedBuffer();
    const [green, blue] = componentCount === 1 ? [0, 0] : [1, 2];
    const pixels = new Uint32Array(width * height);
    for (let index = 0, at = 0; index < pixels.length; index++, at += componentCount) {
      pixels[index] = data[at]! << 16 | data[at + green]! << 8 | data[at + blue]!;
    }
    return { width, height, pixels };
  } finally {
    decoder.delete();
  }
}

/**
 * Describes the pixels so that the file's buffer is large enough. The encoder allocates that buffer
 * in the size of the picture, and writes past its end when a small or noisy picture yields a larger
 * file. It treats any number of components except one as red, green and blue in three consecutive
 * bytes per pixel, so the description may declare more and larger components than there are. Both
 * numbers are passed as single bytes.
 */
function roomFor(
  { width, height }: Size,
  { block, bytesPerPixel }: typeof SAMPLING[keyof typeof SAMPLING],
): Pick<FrameInfo, "bitsPerSample" | "componentCount"> {
  const blocks = Math.ceil(width / block) * Math.ceil(height / block);
  const bytes = blocks * block * block * bytesPerPixel + HEADER_BYTES;
  const perPixel = Math.ceil(bytes / (width * height));
  const perSample = Math.ceil(perPixel / MAX_COMPONENTS);
  return { bitsPerSample: perSample * 8, componentCount: Math.ceil(perPixel / perSample) };
}

/** Four pixels become three numbers, where the buffer begins at a multiple of four bytes. */
function copyRgb(pixels: Uint32Array, rgb: Uint8Array): void {
  const quads = rgb.byteOffset % 4 === 0 ? pixels.length >> 2 : 0;
  const out = new Uint32Array(rgb.buffer, quads === 0 ? 0 : rgb.byteOffset, quads * 3);
  for (let quad = 0, from = 0, to = 0; quad < quads; quad++, from += 4, to += 3) {
    const one = pixels[from]!, two = pixels[from + 1]!;
    const three = pixels[from + 2]!, four = pixels[from + 3]!;
    out[to] = one >>> 16 & 255 | one & 0xff00 | (one & 255) << 16 | (two & 0xff0000) << 8;
    out[to + 1] = two >>> 8 & 255 | (two & 255) << 8 | three & 0xff0000 | (three & 0xff00) << 16;
    out[to + 2] = three & 255 | four >>> 8 & 0xff00 | (four & 0xff00) << 8 | (four & 255) << 24;
  }
  for (let from = quads * 4, to = from * 3; from < pixels.length; from++, to += 3) {
    const pixel = pixels[from]!;
    rgb[to] = pixel >>> 16;
    rgb[to + 1] = pixel >>> 8;
    rgb[to + 2] = pixel;
  }
}

async function loadCodec(): Promise<Codec> {
  const { default: wasmBinary } = await import(
    "@cornerstonejs/codec-libjpeg-turbo-8bit/wasm",
    { with: { type: "bytes" } }
  );
  return await (createCodec as (options: object) => Promise<Codec>)({ wasmBinary });
}
