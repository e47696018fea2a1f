/** Changes in the pictures of a stream: its frames tell when to compare, a comparison tells where. */

import { Waiters } from "../../../core/waiters.ts";
import { SharedRun } from "../../../core/shared_run.ts";
import { ChangeLog } from "../../comparing/change_log.ts";
import type { Changes, ChangeState, CursorState, Region } from "../../types/mod.ts";
import { cursorState, HIDDEN_CURSOR } from "./cursor.ts";
import type { ShownCursor, StreamLook } from "./stream_messages.ts";

/** The stream that is followed. */
export interface ChangeSource {
  readonly connected: boolean;
  cursor(): Promise<ShownCursor | undefined>;
  run(name: "look", input: undefined): Promise<StreamLook>;
}

export class PipeWireChanges implements Changes {
  readonly source = "events";
  readonly #log = new ChangeLog();
  readonly #run = crypto.randomUUID().slice(0, 8);
  readonly #looks = new SharedRun(() => this.#count());
  readonly #waiters = new Waiters();
  /** A frame has come that is not compared yet. */
  #untold = true;
  #last: ChangeState | undefined;

  constructor(private readonly stream: ChangeSource) {}

  /** Called for each frame, and when the stream ends. */
  hearFrame(): void {
    this.#untold = true;
    this.#waiters.tell();
  }

  look(): Promise<ChangeState> {
    if (!this.#untold && this.#last && this.stream.connected) return Promise.resolve(this.#last);
    return this.#looks.run();
  }

  since(count: number): readonly Region[] | undefined {
    return this.#log.since(count);
  }

  /** A frame can be the same as the one before: it is compared first. */
  async next(count: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (this.#log.count <= count) {
      if (!this.#untold) await this.#waiters.wait(signal);
      await this.look();
      signal.throwIfAborted();
    }
  }

  async cursor(): Promise<CursorState> {
    const cursor = await this.stream.cursor();
    return cursor === undefined ? HIDDEN_CURSOR : cursorState(cursor);
  }

  async #count(): Promise<ChangeState> {
    this.#untold = false;
    const { size, areas } = await this.stream.run("look", undefined);
    if (areas.length > 0) this.#log.add(areas);
    return this.#last = { run: this.#run, count: this.#log.count, size };
  }
}
