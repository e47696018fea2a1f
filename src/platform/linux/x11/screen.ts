/** Reads single pixels and regions of the screen. */

import { ServiceError } from "../../../core/errors.ts";
import type { Point, Reading, Region, Rgb } from "../../types/mod.ts";
import type { XError } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import type { SharedMemory } from "./shared_memory.ts";

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;

export class X11Screen {
  readonly #reader: PixelReader;
  readonly #bitsPerPixel: number;
  readonly #scanlinePad: number;

  #memory: SharedMemory | undefined;
  #reading: Reading;

  /**
   * Reads through shared memory if `memory` is one; otherwise through the socket, and `memory` is
   * the reason.
   * @throws ServiceError `unsupported` for a screen whose pixels are no RGB values.
   */
  constructor(
    private readonly connection: X11Connection,
    memory: SharedMemory | string,
    private readonly drawable = connection.root,
  ) {
    this.#memory = typeof memory === "string" ? undefined : memory;
    this.#reading = typeof memory === "string"
      ? { way: "socket", reason: memory }
      : { way: "shared_memory", reason: "the X server shares memory with this process" };
    const { setup, screen, name } = connection;
    const visual = screen.depths[screen.root_depth]?.[screen.root_visual];
    const format = setup.format[screen.root_depth];
    if (!visual || !format || visual.red_mask === 0) {
      throw new ServiceError(
        "unsupported",
        `Cannot read the screen of "${name}": it has no true colours, start it with depth 24`,
      );
    }
    this.#bitsPerPixel = format.bits_per_pixel;
    this.#scanlinePad = format.scanline_pad;
    this.#reader = new PixelReader({
      bitsPerPixel: format.bits_per_pixel,
      scanlinePad: format.scanline_pad,
      mostSignificantByteFirst: setup.image_byte_order === 1,
      redMask: visual.red_mask,
      greenMask: visual.green_mask,
      blueMask: visual.blue_mask,
    });
  }

  /** How the screen is read now. */
  get reading(): Reading {
    return this.#reading;
  }

  close(): void {
    this.#memory?.close();
    this.#memory = undefined;
  }

  async pixel({ x, y }: Point): Promise<Rgb> {
    return this.#reader.first(await this.#image({ x, y, width: 1, height: 1 }));
  }

  /** The pixels of a region within the screen; the next call can overwrite them. */
  async pixels(region: Region): Promise<Uint32Array> {
    const data = await this.#image(region);
    return this.#reader.pixels(data, region.width, region.height);
  }

  async #image(region: Region): Promise<Uint8Array> {
    if (this.#memory === undefined) return await this.#throughSocket(region);
    try {
      return await this.#memory.read(region, this.#byteLength(region));
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      const image = await this.#throughSocket(region); // fails as well if the screen is the cause
      this.close();
      this.#reading = { way: "socket", reason: (error as Error).message };
      return image;
    }
  }

  async #throughSocket({ x, y, width, height }: Region): Promise<Uint8Array> {
    const { client } = this.connection;
    try {
      const image = await this.connection.call<{ data: Uint8Array }>((done) =>
        client.GetImage(Z_PIXMAP, this.drawable, x, y, width, height, ALL_PLANES, done)
      );
      return image.data;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      throw new ServiceError(
        "conflict",
        `Cannot read the screen: it changed its size meanwhile (${(error as XError).message})`,
        { cause: error },
      );
    }
  }

  #byteLength({ width, height }: Region): number {
    const pad = this.#scanlinePad;
    return Math.ceil(width * this.#bitsPerPixel / pad) * pad / 8 * height;
  }
}

// Describes how an X server lays out pixels, and converts them to red, green and blue.

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
