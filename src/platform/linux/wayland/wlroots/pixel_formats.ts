/**
 * The pixel formats in which compositors write frames: `wl_shm.format`, where all but the first two
 * are the codes of drm_fourcc.h.
 */

import type { FrameLayout } from "./frame_memory.ts";

/** Turns pixels of a frame into `0xRRGGBB`; `undefined` where they are that already. */
type Unpack = (bytes: Uint8Array<ArrayBuffer>, layout: FrameLayout, into: Uint32Array) => void;

const FORMATS: ReadonlyMap<number, Unpack | undefined> = new Map([
  [0, undefined], // ARGB8888
  [1, undefined], // XRGB8888
  [fourcc("AB24"), unpackWords((word) => reversed(word))],
  [fourcc("XB24"), unpackWords((word) => reversed(word))],
  [
    fourcc("AR30"),
    unpackWords((word) => tenBits(word, 20) << 16 | tenBits(word, 10) << 8 | tenBits(word, 0)),
  ],
  [
    fourcc("XR30"),
    unpackWords((word) => tenBits(word, 20) << 16 | tenBits(word, 10) << 8 | tenBits(word, 0)),
  ],
  [
    fourcc("AB30"),
    unpackWords((word) => tenBits(word, 0) << 16 | tenBits(word, 10) << 8 | tenBits(word, 20)),
  ],
  [
    fourcc("XB30"),
    unpackWords((word) => tenBits(word, 0) << 16 | tenBits(word, 10) << 8 | tenBits(word, 20)),
  ],
  [fourcc("RG24"), unpackBytes(2, 1, 0)],
  [fourcc("BG24"), unpackBytes(0, 1, 2)],
]);

export function isKnownFormat({ format }: FrameLayout): boolean {
  return FORMATS.has(format);
}

/** Whether rows of pixels can be used as they are. */
export function isDirect({ format, stride }: FrameLayout): boolean {
  return FORMATS.get(format) === undefined && stride % 4 === 0;
}

/** @param into as many words as the frame has pixels */
export function unpackFrame(
  bytes: Uint8Array<ArrayBuffer>,
  layout: FrameLayout,
  into: Uint32Array,
): void {
  FORMATS.get(layout.format)!(bytes, layout, into);
}

function unpackWords(convert: (word: number) => number): Unpack {
  return (bytes, { width, height, stride }, into) => {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    const row = stride >> 2;
    for (let y = 0, at = 0; y < height; y++) {
      for (let from = y * row, end = from + width; from < end; from++) {
        into[at++] = convert(words[from]!);
      }
    }
  };
}

function unpackBytes(red: number, green: number, blue: number): Unpack {
  return (bytes, { width, height, stride }, into) => {
    for (let y = 0, at = 0; y < height; y++) {
      for (let from = y * stride, end = from + width * 3; from < end; from += 3) {
        into[at++] = bytes[from + red]! << 16 | bytes[from + green]! << 8 | bytes[from + blue]!;
      }
    }
  };
}

function reversed(word: number): number {
  return (word & 255) << 16 | word & 0xff00 | word >>> 16 & 255;
}

/** The upper 8 of 10 bits. */
function tenBits(word: number, shift: number): number {
  return word >>> (shift + 2) & 255;
}

function fourcc(code: string): number {
  return [...code].reduce((sum, letter, i) => sum + letter.charCodeAt(0) * 2 ** (8 * i), 0);
}
