/** Describes how an X server lays out pixels, and converts them to red, green and blue. */

import type { Rgb } from "../../types/mod.ts";

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

/** Converts pictures of one format to `0xRRGGBB` pixels. */
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

  /**
   * All pixels of a picture in ZPixmap format (X protocol, GetImage), as `0xRRGGBB`. With the
   * format of nearly every server this is a view of the data, not a copy.
   */
  pixels(data: Uint8Array, width: number, height: number): Uint32Array {
    if (this.#isXrgb() && data.byteOffset % 4 === 0) {
      return new Uint32Array(data.buffer, data.byteOffset, width * height);
    }
    const out = new Uint32Array(width * height);
    const step = this.format.bitsPerPixel / 8;
    const pad = this.format.scanlinePad / 8;
    const stride = Math.ceil(width * step / pad) * pad;
    let to = 0;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const pixel = this.#value(data, row * stride + column * step);
        out[to++] = this.#level(this.#red, pixel) << 16 | this.#level(this.#green, pixel) << 8 |
          this.#level(this.#blue, pixel);
      }
    }
    return out;
  }

  /**
   * Bytes in the order blue, green, red, unused. This computer agrees: all systems that Deno runs
   * on are little-endian.
   */
  #isXrgb(): boolean {
    const { bitsPerPixel, scanlinePad, mostSignificantByteFirst } = this.format;
    const { redMask, greenMask, blueMask } = this.format;
    return bitsPerPixel === 32 && scanlinePad === 32 && !mostSignificantByteFirst &&
      redMask === 0xff0000 && greenMask === 0xff00 && blueMask === 0xff;
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
