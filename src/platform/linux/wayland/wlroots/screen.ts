/** Reads the picture of an output through a connection of its own, in any thread. */

import { Semaphore } from "../../../../core/semaphore.ts";
import { ServiceError } from "../../../../core/errors.ts";
import type {
  CaptureOptions,
  CursorState,
  MeasuredScreen,
  Picture,
  Reading,
  Region,
  Size,
  UsePicture,
} from "../../../types/mod.ts";
import { WaylandClient } from "../client.ts";
import { turnSize } from "../output_geometry.ts";
import { type Output, Outputs } from "../outputs.ts";
import { FramePictures } from "./frame_picture.ts";
import { Screencopy } from "./screencopy.ts";

/** What identifies an output in every thread, and its parts. */
export const screenName = {
  format: (output: string, socketPath: string) => `${output}@${socketPath}`,
  parse(name: string): { readonly output: string; readonly socketPath: string } {
    const at = name.indexOf("@/");
    return { output: name.slice(0, at), socketPath: name.slice(at + 1) };
  },
};

/** @throws ServiceError */
export async function openWlrootsScreen(name: string): Promise<WlrootsScreen> {
  const { output, socketPath } = screenName.parse(name);
  const client = await WaylandClient.open(socketPath);
  try {
    const outputs = await Outputs.open(client);
    const found = outputs.find(output);
    if (found === undefined) {
      throw new ServiceError("unavailable", `The output "${output}" is not plugged in`);
    }
    return new WlrootsScreen(client, found, () => client[Symbol.dispose]());
  } catch (error) {
    client[Symbol.dispose]();
    throw error;
  }
}

export class WlrootsScreen implements MeasuredScreen {
  readonly reading: Reading = {
    way: "shared_memory",
    reason: "the compositor writes into memory of this process",
  };
  readonly #screencopy: Screencopy;
  readonly #pictures = new FramePictures();
  /** One picture at a time, until it has been used: all share one memory. */
  readonly #memory = new Semaphore({ places: 1 });

  /** @param onClose ends the connection if it belongs to the screen */
  constructor(
    private readonly client: WaylandClient,
    private readonly output: Output,
    private readonly onClose: () => void = () => {},
  ) {
    this.#screencopy = new Screencopy(client, output);
  }

  get connected(): boolean {
    return this.client.connected && this.output.isPlugged;
  }

  size(): Size {
    return this.output.size;
  }

  /** The compositor tells nobody where its cursor is: it can be anywhere, and have changed. */
  cursor(): CursorState {
    return { box: { x: 0, y: 0, ...this.output.size }, key: crypto.randomUUID() };
  }

  async capture<T>(
    region: Region,
    { cursor }: CaptureOptions,
    use: UsePicture<T>,
  ): Promise<T> {
    const { result } = await this.#memory.run(async () => {
      const picture = await this.#pictureOrRetry(region, cursor);
      return { result: use(picture) }; // boxed: a promised result must not hold the lock
    });
    return result;
  }

  close(): void {
    this.#screencopy.close();
    this.onClose();
  }

  /** A frame that was refused because something changed meanwhile is asked for once more. */
  async #pictureOrRetry(region: Region, cursor: CaptureOptions["cursor"]): Promise<Picture> {
    try {
      return await this.#picture(region, cursor);
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === "conflict")) throw error;
      await this.client.roundtrip(); // the new size is known now
      return await this.#picture(region, cursor);
    }
  }

  async #picture(region: Region, cursor: CaptureOptions["cursor"]): Promise<Picture> {
    const part = logicalPart(this.output, region);
    const frame = await this.#screencopy.take({ cursor, region: part?.region });
    const { transform } = this.output;
    const size = turnSize(frame.layout, transform);
    const expected = part?.size ?? this.output.size;
    const inside = part?.inside ?? region;
    if (
      isWithin(inside, size) && size.width === expected.width && size.height === expected.height
    ) {
      return this.#pictures.make(frame, transform, inside);
    }
    throw new ServiceError("conflict", "Cannot read the screen: it changed its size meanwhile");
  }
}

/**
 * The smallest part of the output that the compositor can be asked for: in whole logical units, and
 * only where these are whole pixels; `undefined` for all of it.
 */
function logicalPart(output: Output, { x, y, width, height }: Region) {
  const { scale, size, transform, logical } = output;
  const isAll = width === size.width && height === size.height;
  if (isAll || !Number.isInteger(scale) || transform !== 0) return undefined;
  const left = Math.floor(x / scale);
  const top = Math.floor(y / scale);
  const region = {
    x: left,
    y: top,
    width: Math.ceil((x + width) / scale) - left,
    height: Math.ceil((y + height) / scale) - top,
  };
  if (left + region.width > logical.width || top + region.height > logical.height) return undefined;
  return {
    region,
    size: { width: region.width * scale, height: region.height * scale },
    inside: { x: x - left * scale, y: y - top * scale, width, height },
  };
}

function isWithin({ x, y, width, height }: Region, size: Size): boolean {
  return x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height;
}
