/** How an X server lays out pixels, and how they become red, green and blue bytes. */

import type { Rgb } from "../../types.ts";

export interface PixelFormat {
  /** 8, 16, 24 or 32. */
  readonly bitsPerPixel: number;
  /** Bits to which each row is padded. */
  readonly scanlinePad: number;
  readonly mostSignificantByteFirst: boolean;
  readonly redMask: number;
  readonly greenMask: number;
  readonly blueMask: number;
}

/** Turns pictures of one format into rows of red, green and blue bytes. */
export class PixelReader {
  readonly #red: Channel;
  readonly #green: Channel;
  readonly #blue: Channel;

  constructor(private readonly format: PixelFormat) {
    this.#red = channel(format.redMask);
    this.#green = channel(format.greenMask);
    this.#blue = channel(format.blueMask);
  }

  /** The first pixel of `data`. */
  first(data: Uint8Array): Rgb {
    const pixel = this.#value(data, 0);
    return [
      this.#level(this.#red, pixel),
      this.#level(this.#green, pixel),
      this.#level(this.#blue, pixel),
    ];
  }

  /** All pixels of a picture in ZPixmap format (X protocol, GetImage). */
  rgb(data: Uint8Array, width: number, height: number): Uint8Array {
    const out = new Uint8Array(width * height * 3);
    const step = this.format.bitsPerPixel / 8;
    const pad = this.format.scanlinePad / 8;
    const stride = Math.ceil(width * step / pad) * pad;
    if (this.#isBgrx()) return copyBgrx(data, { width, height, stride, out });
    let to = 0;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const pixel = this.#value(data, row * stride + column * step);
        out[to++] = this.#level(this.#red, pixel);
        out[to++] = this.#level(this.#green, pixel);
        out[to++] = this.#level(this.#blue, pixel);
      }
    }
    return out;
  }

  /** The format of nearly every server: blue, green, red, unused. */
  #isBgrx(): boolean {
    const { bitsPerPixel, mostSignificantByteFirst, redMask, greenMask, blueMask } = this.format;
    return bitsPerPixel === 32 && !mostSignificantByteFirst && redMask === 0xff0000 &&
      greenMask === 0xff00 && blueMask === 0xff;
  }

  #level({ shift, levels, mask }: Channel, pixel: number): number {
    return levels[(pixel & mask) >>> shift]!;
  }

  #value(data: Uint8Array, at: number): number {
    const bytes = this.format.bitsPerPixel / 8;
    let value = 0;
    for (let i = 0; i < bytes; i++) {
      const significance = this.format.mostSignificantByteFirst ? bytes - 1 - i : i;
      value |= data[at + i]! << (8 * significance);
    }
    return value >>> 0;
  }
}

interface Channel {
  readonly mask: number;
  readonly shift: number;
  /** Value of the channel -> 0..255. */
  readonly levels: Uint8Array;
}

function channel(mask: number): Channel {
  const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
  const max = mask >>> shift;
  const levels = Uint8Array.from(
    { length: max + 1 },
    (_, value) => Math.round(value * 255 / (max || 1)),
  );
  return { mask, shift, levels };
}

function copyBgrx(
  data: Uint8Array,
  { width, height, stride, out }: {
    width: number;
    height: number;
    stride: number;
    out: Uint8Array;
  },
): Uint8Array {
  let to = 0;
  for (let row = 0; row < height; row++) {
    let from = row * stride;
    for (let column = 0; column < width; column++) {
      out[to] = data[from + 2]!;
      out[to + 1] = data[from + 1]!;
      out[to + 2] = data[from]!;
      to += 3;
      from += 4;
    }
  }
  return out;
}
