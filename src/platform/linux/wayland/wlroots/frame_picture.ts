/** Turns a frame, as the compositor wrote it, into a picture, as people see it. */

import { ServiceError } from "../../../../core/errors.ts";
import type { Picture, Point, Region, Size } from "../../../types/mod.ts";
import { rotateSize, type Transform } from "../outputs.ts";

/** What the compositor wants a buffer to be. */
export interface FrameLayout {
  /** A number of `wl_shm.format`. */
  readonly format: number;
  readonly width: number;
  readonly height: number;
  /** Bytes per row. */
  readonly stride: number;
}

export interface Frame {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly layout: FrameLayout;
  /** The first row is the lowest. */
  readonly isInverted: boolean;
}

/** Pixels from the frame, the first of which is at this position of it. */
interface Source extends Point {
  readonly pixels: Uint32Array;
  /** How many pixels make a row. */
  readonly row: number;
}

/** Converts frames; keeps its memory for the next one. */
export class FramePictures {
  #unpacked = new Uint32Array(0);
  #rotated = new Uint32Array(0);

  /**
   * A part of a frame. The pixels are those of the frame itself where it needs no change.
   * @param part in the picture, as it is rotated
   * @throws ServiceError `unsupported`: an unknown format
   */
  make(frame: Frame, transform: Transform, part: Region): Picture {
    const { width, height } = part;
    const toFrame = pixelMapping(frame, transform);
    const source = this.#source(frame, boxOf(toFrame, part));
    const at = (x: number, y: number) => {
      const { x: column, y: row } = toFrame(x, y);
      return (row - source.y) * source.row + column - source.x;
    };
    const first = at(part.x, part.y);
    const right = at(part.x + 1, part.y) - first;
    const down = at(part.x, part.y + 1) - first;
    if (right === 1 && down === width) {
      return { width, height, pixels: source.pixels.subarray(first, first + width * height) };
    }
    const pixels = this.#memory(width * height);
    for (let y = 0; y < height; y++) {
      const row = first + y * down;
      if (right === 1) pixels.set(source.pixels.subarray(row, row + width), y * width);
      else copyAcross(source.pixels, row, right, pixels.subarray(y * width, (y + 1) * width));
    }
    return { width, height, pixels };
  }

  /** Pixels that contain the box: all of the frame where nothing has to be unpacked. */
  #source({ bytes, layout }: Frame, box: Region): Source {
    if (!FORMATS.has(layout.format)) {
      throw new ServiceError(
        "unsupported",
        `Cannot read the screen: its pixel format 0x${layout.format.toString(16)} is unknown`,
      );
    }
    if (isDirect(layout)) {
      const pixels = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
      return { pixels, row: layout.stride >> 2, x: 0, y: 0 };
    }
    const { x, y, width, height } = box;
    if (this.#unpacked.length < width * height) this.#unpacked = new Uint32Array(width * height);
    const unpack = FORMATS.get(layout.format) ?? COPY;
    unpack(bytes, { stride: layout.stride, box }, this.#unpacked);
    return { pixels: this.#unpacked, row: width, x, y };
  }

  #memory(count: number): Uint32Array {
    if (this.#rotated.length < count) this.#rotated = new Uint32Array(count);
    return this.#rotated.subarray(0, count);
  }
}

/** Where each pixel of the picture is in the frame. */
function pixelMapping({ layout, isInverted }: Frame, transform: Transform) {
  const { height } = layout;
  const seen = rotateSize(layout, transform);
  return (x: number, y: number): Point => {
    const point = rotatePoint(transform, x, y, seen);
    return isInverted ? { x: point.x, y: height - 1 - point.y } : point;
  };
}

/** The part of the frame that a part of the picture is made of. */
function boxOf(toFrame: (x: number, y: number) => Point, part: Region): Region {
  const first = toFrame(part.x, part.y);
  const last = toFrame(part.x + part.width - 1, part.y + part.height - 1);
  const x = Math.min(first.x, last.x);
  const y = Math.min(first.y, last.y);
  return {
    x,
    y,
    width: Math.max(first.x, last.x) - x + 1,
    height: Math.max(first.y, last.y) - y + 1,
  };
}

/** Where the compositor draws a pixel of a picture of this size. */
function rotatePoint(transform: Transform, x: number, y: number, { width, height }: Size): Point {
  const flipped = transform >= 4 ? width - 1 - x : x;
  switch (transform % 4) {
    case 1:
      return { x: y, y: width - 1 - flipped };
    case 2:
      return { x: width - 1 - flipped, y: height - 1 - y };
    case 3:
      return { x: height - 1 - y, y: flipped };
    default:
      return { x: flipped, y };
  }
}

function copyAcross(from: Uint32Array, start: number, step: number, to: Uint32Array): void {
  for (let i = 0, at = start; i < to.length; i++, at += step) to[i] = from[at]!;
}

// The pixel formats in which compositors write frames: `wl_shm.format`, where all but the first two
// are the codes of drm_fourcc.h.

/** Turns pixels of a frame into `0xRRGGBB`, row by row; absent where they are that already. */
type Unpack = (
  bytes: Uint8Array<ArrayBuffer>,
  options: { readonly stride: number; readonly box: Region },
  into: Uint32Array,
) => void;

const BLUE_LAST = unpackWords(reversed);
const TEN_BITS = unpackWords((word) =>
  tenBits(word, 20) << 16 | tenBits(word, 10) << 8 | tenBits(word, 0)
);
const TEN_BITS_BLUE_LAST = unpackWords((word) =>
  tenBits(word, 0) << 16 | tenBits(word, 10) << 8 | tenBits(word, 20)
);

const FORMATS: ReadonlyMap<number, Unpack | undefined> = new Map([
  [0, undefined], // ARGB8888
  [1, undefined], // XRGB8888
  [fourcc("AB24"), BLUE_LAST],
  [fourcc("XB24"), BLUE_LAST],
  [fourcc("AR30"), TEN_BITS],
  [fourcc("XR30"), TEN_BITS],
  [fourcc("AB30"), TEN_BITS_BLUE_LAST],
  [fourcc("XB30"), TEN_BITS_BLUE_LAST],
  [fourcc("RG24"), unpackBytes(2, 1, 0)],
  [fourcc("BG24"), unpackBytes(0, 1, 2)],
]);

/** For rows that do not begin at the boundary of a word. */
const COPY = unpackWords((word) => word);

/** Whether rows of pixels can be used as they are. */
function isDirect({ format, stride }: FrameLayout): boolean {
  return FORMATS.get(format) === undefined && stride % 4 === 0;
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
