/** Reads single pixels and regions of the screen. */

import { ServiceError } from "../../../core/errors.ts";
import type { Point, Reading, Region, Rgb } from "../../types/mod.ts";
import type { XError } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import { PixelReader } from "./pixel_format.ts";
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
