/**
 * The pixel formats in which compositors write frames: `wl_shm.format`, where all but the first two
 * are the codes of drm_fourcc.h.
 */

import type { Region } from "../../../types/mod.ts";
import type { FrameLayout } from "./frame_memory.ts";

/** Turns pixels of a frame into `0xRRGGBB`, row by row; absent where they are that already. */
type Unpack = (
  bytes: Uint8Array<ArrayBuffer>,
  options: { readonly stride: number; readonly box: Region },
  into: Uint32Array,
) => void;

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

/** For rows that do not begin at whole words. */
const COPY = unpackWords((word) => word);

export function isKnownFormat({ format }: FrameLayout): boolean {
  return FORMATS.has(format);
}

/** Whether rows of pixels can be used as they are. */
export function isDirect({ format, stride }: FrameLayout): boolean {
  return FORMATS.get(format) === undefined && stride % 4 === 0;
}

/**
 * Unpacks a part of a frame.
 * @param into as many words as the part has pixels, at least
 */
export function unpackFrame(
  bytes: Uint8Array<ArrayBuffer>,
  { format, stride }: FrameLayout,
  { box, into }: { readonly box: Region; readonly into: Uint32Array },
): void {
  const unpack = FORMATS.get(format) ?? COPY;
  unpack(bytes, { stride, box }, into);
}

function unpackWords(convert: (word: number) => number): Unpack {
  return (bytes, { stride, box: { x, y, width, height } }, into) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let row = 0, at = 0; row < height; row++) {
      const start = (y + row) * stride + x * 4;
      for (let from = start, end = start + width * 4; from < end; from += 4) {
        into[at++] = convert(view.getUint32(from, true));
      }
    }
  };
}

function unpackBytes(red: number, green: number, blue: number): Unpack {
  return (bytes, { stride, box: { x, y, width, height } }, into) => {
    for (let row = 0, at = 0; row < height; row++) {
      const start = (y + row) * stride + x * 3;
      for (let from = start, end = start + width * 3; from < end; from += 3) {
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
