/**
 * Compares pictures of an output as it is now; after a change of its size, scale or place it counts as
 * another screen.
 */

import { ServiceError } from "../../../../core/errors.ts";
import type { Look, Looker } from "../../../comparing/compared_changes.ts";
import { WorkerLooker } from "../../../comparing/worker_looker.ts";
import type { CursorState, ScreenAddress } from "../../../types/mod.ts";

export class OutputLooker implements Looker {
  #opened: { readonly name: string; readonly worker: WorkerLooker } | undefined;
  /** Whether all of the next picture counts as changed. */
  #isOther = false;
  #isEnded = false;

  /** @param locate returns the address of the output now */
  constructor(private readonly locate: () => ScreenAddress<"kde">) {}

  get connected(): boolean {
    return !this.#isEnded && this.#opened?.worker.connected !== false;
  }

  async look(): Promise<Look> {
    const { size, areas } = await this.#open().look();
    if (!this.#isOther) return { size, areas };
    this.#isOther = false;
    return { size, areas: [{ x: 0, y: 0, ...size }] };
  }

  cursor(): Promise<CursorState> {
    return this.#open().cursor();
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    this.#opened?.worker[Symbol.dispose]();
  }

  #open(): WorkerLooker {
    if (this.#isEnded) {
      throw new ServiceError("unavailable", "The display is not followed any more");
    }
    const address = this.locate();
    if (this.#opened?.name === address.name) return this.#opened.worker;
    this.#isOther = this.#opened !== undefined;
    this.#opened?.worker[Symbol.dispose]();
    const worker = new WorkerLooker(address);
    this.#opened = { name: address.name, worker };
    return worker;
  }
}
