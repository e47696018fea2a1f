/** Turns a frame, as the compositor wrote it, into a picture, as people see it. */

import { ServiceError } from "../../../../core/errors.ts";
import type { Picture, Region } from "../../../types/mod.ts";
import { swapsAxes, type Transform } from "../output_geometry.ts";
import type { FrameLayout } from "./frame_memory.ts";
import { isDirect, isKnownFormat, unpackFrame } from "./pixel_formats.ts";

export interface Frame {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly layout: FrameLayout;
  /** The first row is the lowest. */
  readonly isInverted: boolean;
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
    const source = this.#source(frame);
    const { start, right, down } = walk(frame, transform, source.row);
    const first = start + part.x * right + part.y * down;
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

  /** The pixels of the frame, and how many make a row. */
  #source({ bytes, layout }: Frame): { readonly pixels: Uint32Array; readonly row: number } {
    if (!isKnownFormat(layout)) {
      throw new ServiceError(
        "unsupported",
        `Cannot read the screen: its pixel format 0x${layout.format.toString(16)} is unknown`,
      );
    }
    if (isDirect(layout)) {
      const pixels = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
      return { pixels, row: layout.stride >> 2 };
    }
    const count = layout.width * layout.height;
    if (this.#unpacked.length !== count) this.#unpacked = new Uint32Array(count);
    unpackFrame(bytes, layout, this.#unpacked);
    return { pixels: this.#unpacked, row: layout.width };
  }

  #memory(count: number): Uint32Array {
    if (this.#turned.length < count) this.#turned = new Uint32Array(count);
    return this.#turned.subarray(0, count);
  }
}

/**
 * Where the picture's first pixel is in the frame, and how far it is from each pixel to its right
 * and its lower neighbour.
 */
function walk({ layout, isInverted }: Frame, transform: Transform, row: number) {
  const { width, height } = layout;
  const across = swapsAxes(transform) ? height : width; // of the picture
  const at = (x: number, y: number) => {
    const place = turnPoint(transform, x, y, across, swapsAxes(transform) ? width : height);
    return (isInverted ? height - 1 - place.y : place.y) * row + place.x;
  };
  const start = at(0, 0);
  return { start, right: at(1, 0) - start, down: at(0, 1) - start };
}

/** Where the compositor draws a pixel of a picture of this size. */
function turnPoint(transform: Transform, x: number, y: number, width: number, height: number) {
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
