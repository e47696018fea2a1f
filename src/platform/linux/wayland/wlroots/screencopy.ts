/** Frames of an output by zwlr_screencopy_manager_v1 ("wlr-screencopy-unstable-v1"). */

import { abortAfter, unlessAborted } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import type { Region } from "../../../types/mod.ts";
import type { WaylandClient } from "../client.ts";
import type { Output } from "../outputs.ts";
import { INTERFACES } from "../protocols/mod.ts";
import type { WaylandObject } from "../protocols/types.ts";
import { type FrameLayout, FrameMemory } from "./frame_memory.ts";
import type { Frame } from "./frame_picture.ts";

export const SCREENCOPY = "zwlr_screencopy_manager_v1";
const VERSION = 3;
/** The first version that tells of damage. */
export const DAMAGE_VERSION = 2;
/** The first version that says when all kinds of buffers are listed. */
const BUFFER_DONE_VERSION = 3;
const Y_INVERT = INTERFACES.zwlr_screencopy_frame_v1.enums.flags.y_invert;
/** An output that is switched off, or whose session is not the active one, draws nothing. */
const FRAME_TIMEOUT_MS = 5_000;

export interface FrameRequest {
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
    return await this.#receive(this.#ask(request), { copy: "copy", signal: limit.signal });
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
    const frame = this.#ask({ cursor: "hidden" });
    const areas: Region[] = [];
    frame.on("damage", (x, y, width, height) => areas.push({ x, y, width, height }));
    frame.on("ready", () => onDamage(areas));
    return await this.#receive(frame, { copy: "copy_with_damage", signal });
  }

  close(): void {
    this.#memory.close();
    this.#manager.send("destroy");
  }

  #ask({ cursor, region }: FrameRequest): WaylandObject<"zwlr_screencopy_frame_v1"> {
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
    return new ServiceError("conflict", "Cannot read the screen: it changed its size meanwhile");
  }

  #unplugged(): ServiceError {
    return new ServiceError("unavailable", `The output "${this.output.name}" is unplugged`);
  }

  #noFrame(): ServiceError {
    return new ServiceError(
      "unavailable",
      `Cannot read the screen: the compositor sends no picture of "${this.output.name}"; ` +
        "it hangs, the output is switched off, or its session is not the active one",
    );
  }
}
