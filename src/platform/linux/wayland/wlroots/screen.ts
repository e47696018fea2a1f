/** Reads the picture of an output through a connection of its own, in any thread. */

import { abortAfter, unlessAborted } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { Semaphore } from "../../../../core/locks.ts";
import { contains, wholeUnits } from "../../../../imaging/boxes.ts";
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
import { type Output, Outputs, rotateSize } from "../outputs.ts";
import type { WaylandObject } from "../protocols/mod.ts";
import { MemoryFile } from "../wire/memory_file.ts";
import { type Frame, type FrameLayout, FramePictures } from "./frame_picture.ts";

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
  using opening = new DisposableStack();
  const client = opening.use(await WaylandClient.open(socketPath));
  const found = (await Outputs.open(client)).find(output);
  if (found === undefined) {
    throw new ServiceError("unavailable", `The output "${output}" is not connected`);
  }
  const screen = new WlrootsScreen(client, found, () => client[Symbol.dispose]());
  opening.move();
  return screen;
}

export class WlrootsScreen implements MeasuredScreen {
  readonly reading: Reading = {
    way: "shared_memory",
    reason: "the compositor writes into memory of this process",
  };
  readonly #screencopy: Screencopy;
  readonly #pictures = new FramePictures();
  /** One picture at a time, until it has been used: all share one memory. */
  readonly #memory = new Semaphore({ capacity: 1 });

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

  /** The compositor reports to nobody where its cursor is: it can be anywhere, and have changed. */
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

  /** A picture that is being read or used keeps its memory until it is done: it would be read where nothing is mapped. */
  close(): void {
    this.onClose();
    void this.#memory.run(() => this.#screencopy.close());
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
    const size = rotateSize(frame.layout, transform);
    const expected = part?.size ?? this.output.size;
    const inside = part?.inside ?? region;
    if (
      contains({ x: 0, y: 0, ...size }, inside) && size.width === expected.width &&
      size.height === expected.height
    ) {
      return this.#pictures.make(frame, transform, inside);
    }
    throw new ServiceError("conflict", "Cannot read the screen: it was resized in the meantime");
  }
}

/**
 * The smallest part of the output that the compositor can be asked for: in integer logical units,
 * and only where these are integer pixels; `undefined` for all of it.
 */
function logicalPart(output: Output, pixels: Region) {
  const { x, y, width, height } = pixels;
  const { scale, size, transform, logical } = output;
  const isAll = width === size.width && height === size.height;
  if (isAll || !Number.isInteger(scale) || transform !== 0) return undefined;
  const region = wholeUnits(pixels, scale);
  if (!contains({ ...logical, x: 0, y: 0 }, region)) return undefined;
  return {
    region,
    size: { width: region.width * scale, height: region.height * scale },
    inside: { x: x - region.x * scale, y: y - region.y * scale, width, height },
  };
}

// Frames of an output by zwlr_screencopy_manager_v1 ("wlr-screencopy-unstable-v1").

export const SCREENCOPY = "zwlr_screencopy_manager_v1";
const VERSION = 3;
/** The first version that reports damage. */
export const DAMAGE_VERSION = 2;
/** The first version that says when all kinds of buffers are listed. */
const BUFFER_DONE_VERSION = 3;
/** `zwlr_screencopy_frame_v1.flags` */
const Y_INVERT = 1;
/** An output that is switched off, or whose session is not the active one, draws nothing. */
const FRAME_TIMEOUT_MS = 5_000;

interface FrameRequest {
  readonly cursor: "shown" | "hidden";
  /** In logical units of the output; all of it if absent. */
  readonly region?: Region | undefined;
}

/** One frame at a time: all share the memory. */
export class Screencopy {
  readonly #manager: WaylandObject<typeof SCREENCOPY>;
  readonly #memory: FrameMemory;

  /** @throws ServiceError `unsupported` */
  constructor(private readonly client: WaylandClient, private readonly output: Output) {
    this.#manager = client.bind(SCREENCOPY, VERSION);
    this.#memory = new FrameMemory(client);
  }

  /**
   * Takes the frame that is drawn next; its bytes are valid until the next call.
   * @throws ServiceError `unavailable`: the output is gone or draws nothing; `conflict`: it changed
   *   meanwhile
   */
  async take(request: FrameRequest): Promise<Frame> {
    using limit = abortAfter(FRAME_TIMEOUT_MS, new AbortController().signal, this.#noFrame());
    return await this.#receive(this.#request(request), { copy: "copy", signal: limit.signal });
  }

  /**
   * Waits until something on the output changes.
   * @param onDamage is called in the event itself, with the areas that have changed since the frame
   *   before, in pixels of the frame
   */
  async takeDamaged(
    onDamage: (areas: readonly Region[]) => void,
    signal: AbortSignal,
  ): Promise<Frame> {
    const frame = this.#request({ cursor: "hidden" });
    const areas: Region[] = [];
    frame.on("damage", (x, y, width, height) => areas.push({ x, y, width, height }));
    frame.on("ready", () => onDamage(areas));
    return await this.#receive(frame, { copy: "copy_with_damage", signal });
  }

  close(): void {
    this.#memory.close();
    this.#manager.send("destroy");
  }

  #request({ cursor, region }: FrameRequest): WaylandObject<"zwlr_screencopy_frame_v1"> {
    if (!this.output.isPlugged) throw this.#unplugged();
    const overlay = cursor === "shown" ? 1 : 0;
    const { object } = this.output;
    if (region === undefined) return this.#manager.send("capture_output", overlay, object);
    const { x, y, width, height } = region;
    return this.#manager.send(
      ...["capture_output_region", overlay, object, x, y, width, height] as const,
    );
  }

  async #receive(
    frame: WaylandObject<"zwlr_screencopy_frame_v1">,
    { copy, signal }: { copy: "copy" | "copy_with_damage"; signal: AbortSignal },
  ): Promise<Frame> {
    const { promise, resolve, reject } = Promise.withResolvers<Frame>();
    let layout: FrameLayout | undefined;
    let isInverted = false;
    const start = () => {
      if (layout !== undefined) frame.send(copy, this.#memory.bufferFor(layout));
      else reject(new ServiceError("unsupported", "The compositor gives no frames in memory"));
    };
    frame.on("buffer", (format, width, height, stride) => {
      layout = { format, width, height, stride };
      if (frame.version < BUFFER_DONE_VERSION) start();
    });
    frame.on("buffer_done", start);
    frame.on("flags", (flags) => isInverted = (flags & Y_INVERT) !== 0);
    frame.on("ready", () => resolve({ bytes: this.#memory.bytes, layout: layout!, isInverted }));
    frame.on("failed", () => reject(this.#failed()));
    try {
      return await this.client.untilLost(unlessAborted(promise, signal));
    } finally {
      frame.send("destroy");
    }
  }

  #failed(): ServiceError {
    if (!this.output.isPlugged) return this.#unplugged();
    return new ServiceError("conflict", "Cannot read the screen: it was resized in the meantime");
  }

  #unplugged(): ServiceError {
    return new ServiceError("unavailable", `The output "${this.output.name}" was disconnected`);
  }

  #noFrame(): ServiceError {
    return new ServiceError(
      "unavailable",
      `Cannot read the screen: the compositor sent no picture of "${this.output.name}"; ` +
        "it hangs, the output is turned off, or its session is not active",
    );
  }
}

// Memory into which the compositor writes frames, so that no pixel passes through a socket.

class FrameMemory {
  readonly #shm: WaylandObject<"wl_shm">;
  #memory: MemoryFile | undefined;
  #pool: WaylandObject<"wl_shm_pool"> | undefined;
  #buffer:
    | { readonly layout: FrameLayout; readonly object: WaylandObject<"wl_buffer"> }
    | undefined;

  constructor(client: WaylandClient) {
    this.#shm = client.bind("wl_shm", 1);
  }

  /** The bytes of the current buffer, until the next one is made. */
  get bytes(): Uint8Array<ArrayBuffer> {
    const { stride, height } = this.#buffer!.layout;
    return this.#memory!.bytes.subarray(0, stride * height);
  }

  /** A buffer of this layout; the one before must not be in use any more. */
  bufferFor(layout: FrameLayout): WaylandObject<"wl_buffer"> {
    if (this.#buffer !== undefined && isSame(this.#buffer.layout, layout)) {
      return this.#buffer.object;
    }
    const { width, height, stride, format } = layout;
    this.#buffer?.object.send("destroy");
    this.#buffer = undefined;
    const pool = this.#poolOf(stride * height);
    const object = pool.send("create_buffer", 0, width, height, stride, format);
    this.#buffer = { layout, object };
    return object;
  }

  close(): void {
    this.#buffer?.object.send("destroy");
    this.#pool?.send("destroy");
    this.#memory?.[Symbol.dispose]();
    this.#buffer = this.#pool = this.#memory = undefined;
  }

  #poolOf(byteLength: number): WaylandObject<"wl_shm_pool"> {
    if (this.#pool !== undefined && this.#memory!.bytes.length >= byteLength) return this.#pool;
    this.close();
    this.#memory = MemoryFile.create(byteLength);
    return this.#pool = this.#shm.send("create_pool", this.#memory.file, byteLength);
  }
}

function isSame(a: FrameLayout, b: FrameLayout): boolean {
  return a.format === b.format && a.width === b.width && a.height === b.height &&
    a.stride === b.stride;
}
