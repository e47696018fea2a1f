/**
 * Looks at a screen in its own thread, because a comparison would delay requests by milliseconds.
 */

import { ServiceError } from "../../core/errors.ts";
import { WorkerPool } from "../../core/worker_pool.ts";
import type { Look, Looker } from "./compared_changes.ts";
import type { CursorState, MeasuredBackend, ScreenAddress } from "../types/mod.ts";

export interface LookRequest {
  readonly ask: "look" | "cursor";
  readonly address: ScreenAddress<MeasuredBackend>;
}

export class WorkerLooker implements Looker {
  readonly #pool = new WorkerPool<LookRequest, Look | CursorState>({
    module: new URL("./look_worker.ts", import.meta.url),
    name: "comparing",
    threads: 1,
  });

  constructor(private readonly address: ScreenAddress<MeasuredBackend>) {}

  /** A thread that crashed has lost the picture to compare with. */
  get connected(): boolean {
    return this.#pool.failure === undefined;
  }

  look(): Promise<Look> {
    return this.#ask("look") as Promise<Look>;
  }

  cursor(): Promise<CursorState> {
    return this.#ask("cursor") as Promise<CursorState>;
  }

  [Symbol.dispose](): void {
    this.#pool.end(new ServiceError("unavailable", "The display is not followed any more"));
  }

  async #ask(ask: LookRequest["ask"]): Promise<Look | CursorState> {
    if (!this.connected) throw this.#pool.failure;
    return await this.#pool.run({ ask, address: this.address });
  }
}
