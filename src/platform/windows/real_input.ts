/** Input of the real mouse and keyboard of Windows, which all monitors share. */

import { addMember } from "../../core/shared_run.ts";
import { WorkerPool } from "../../core/worker_thread.ts";
import type { RealInput, RealInputWatch } from "../types/mod.ts";
import type { Report } from "./real_input_worker.ts";

/** A thread that has not stopped within so many milliseconds is ended. */
const STOP_MS = 1_000;

export class WindowsRealInput implements RealInput {
  #thread: HookThread | undefined;

  async watch(used: () => void): Promise<RealInputWatch> {
    if (this.#thread?.connected !== true) this.#thread = new HookThread();
    return await this.#thread.add(used);
  }
}

/** It ends when nobody wants to hear of input any more. */
class HookThread {
  readonly #listeners = new Set<{ used(): void }>();
  readonly #stop = new AbortController();
  readonly #begun = Promise.withResolvers<void>();
  #hasEnded = false;

  constructor() {
    const module = new URL("./real_input_worker.ts", import.meta.url);
    const pool = new WorkerPool<null, void>({ module, name: "input", stopMs: STOP_MS });
    const onMessage = (report: Report) => {
      if (report === "watching") this.#begun.resolve();
      else for (const each of this.#listeners) each.used();
    };
    pool.run(null, { signal: this.#stop.signal, onMessage })
      .catch(this.#begun.reject) // it has no effect on one that has begun
      .finally(() => {
        this.#hasEnded = true;
        pool[Symbol.dispose]();
      });
  }

  get connected(): boolean {
    return !this.#hasEnded && !this.#stop.signal.aborted;
  }

  /** @throws what kept it from hearing of input */
  async add(used: () => void): Promise<RealInputWatch> {
    const listening = addMember(this.#listeners, { used });
    await this.#begun.promise;
    const isConnected = () => this.connected;
    return {
      get connected() {
        return isConnected();
      },
      [Symbol.dispose]: () => {
        listening[Symbol.dispose]();
        if (this.#listeners.size === 0) this.#stop.abort();
      },
    };
  }
}
