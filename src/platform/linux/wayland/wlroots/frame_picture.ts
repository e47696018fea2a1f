/** Turns a frame, as the compositor wrote it, into a picture, as people see it. */

import { ServiceError } from "../../../../core/errors.ts";
import type { Picture, Point, Region, Size } from "../../../types/mod.ts";
import { type Transform, turnSize } from "../output_geometry.ts";
import type { FrameLayout } from "./frame_memory.ts";
import { isDirect, isKnownFormat, unpackFrame } from "./pixel_formats.ts";

export interface Frame {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly layout: FrameLayout;
  /** The first row is the lowest. */
  readonly isInverted: boolean;
}

/** Pixels from the frame, the first of which is at a place of it. */
interface Source extends Point {
  readonly pixels: Uint32Array;
  /** How many pixels make a row. */
  readonly row: number;
}

/** Converts frames; keeps its memory for the next one. */
export class FramePictures {
  #unpacked = new Uint32Array(0);
  #turned = new Uint32Array(0);

  /**
   * A part of a frame. The pixels are those of the frame itself where it needs no change.
   * @param part in the picture, as it is turned
   * @throws ServiceError `unsupported`: an unknown format
   */
  make(frame: Frame, transform: Transform, part: Region): Picture {
    const { width, height } = part;
    const place = placesOf(frame, transform);
    const source = this.#source(frame, boxOf(place, part));
    const at = (x: number, y: number) => {
      const { x: column, y: row } = place(x, y);
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
    if (!isKnownFormat(layout)) {
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
    unpackFrame(bytes, layout, { box, into: this.#unpacked });
    return { pixels: this.#unpacked, row: width, x, y };
  }

  #memory(count: number): Uint32Array {
    if (this.#turned.length < count) this.#turned = new Uint32Array(count);
    return this.#turned.subarray(0, count);
  }
}

/** Where each pixel of the picture is in the frame. */
function placesOf({ layout, isInverted }: Frame, transform: Transform) {
  const { height } = layout;
  const seen = turnSize(layout, transform);
  return (x: number, y: number): Point => {
    const place = turnPoint(transform, x, y, seen);
    return isInverted ? { x: place.x, y: height - 1 - place.y } : place;
  };
}

/** The part of the frame that a part of the picture is made of. */
function boxOf(place: (x: number, y: number) => Point, part: Region): Region {
  const first = place(part.x, part.y);
  const last = place(part.x + part.width - 1, part.y + part.height - 1);
  const x = Math.min(first.x, last.x);
  const y = Math.min(first.y, last.y);
  return {
    ...{ x, y },
    width: Math.max(first.x, last.x) - x + 1,
    height: Math.max(first.y, last.y) - y + 1,
  };
}

/** Where the compositor draws a pixel of a picture of this size. */
function turnPoint(transform: Transform, x: number, y: number, { width, height }: Size): Point {
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
