/** Reading the screen: single pixels and regions. */

import { ServiceError } from "../../../errors.ts";
import type { Picture, Point, Region, Rgb } from "../../types.ts";
import type { XError } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import { PixelReader } from "./pixel_format.ts";

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;

export class X11Screen {
  readonly #reader: PixelReader;

  /** @throws ServiceError `unsupported` for a screen whose pixels are no RGB values. */
  constructor(private readonly connection: X11Connection) {
    const { setup, screen, name } = connection;
    const visual = screen.depths[screen.root_depth]?.[screen.root_visual];
    const format = setup.format[screen.root_depth];
    if (!visual || !format || visual.red_mask === 0) {
      throw new ServiceError(
        "unsupported",
        `Cannot read the screen of "${name}": it has no true colours, start it with depth 24`,
      );
    }
    this.#reader = new PixelReader({
      bitsPerPixel: format.bits_per_pixel,
      scanlinePad: format.scanline_pad,
      mostSignificantByteFirst: setup.image_byte_order === 1,
      redMask: visual.red_mask,
      greenMask: visual.green_mask,
      blueMask: visual.blue_mask,
    });
  }

  async pixel({ x, y }: Point): Promise<Rgb> {
    return this.#reader.first(await this.#image({ x, y, width: 1, height: 1 }));
  }

  async capture(region: Region): Promise<Picture> {
    const { width, height } = region;
    const data = await this.#image(region);
    return { width, height, rgb: this.#reader.rgb(data, width, height) };
  }

  async #image({ x, y, width, height }: Region): Promise<Uint8Array> {
    const { client, root } = this.connection;
    try {
      const image = await this.connection.call<{ data: Uint8Array }>((done) =>
        client.GetImage(Z_PIXMAP, root, x, y, width, height, ALL_PLANES, done)
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
}
