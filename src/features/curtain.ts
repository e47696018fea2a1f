/** Hides from what programs have started, recordings above all, what a person does in control. */

import { Waiters } from "../core/shared_run.ts";

export class Curtain {
  static readonly ofService = true;
  #isClosed = false;
  #closings = 0;
  readonly #opened = new Waiters();

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** How often it was closed: a picture counts only if it was not closed while it was taken. */
  get closings(): number {
    return this.#closings;
  }

  close(): void {
    if (!this.#isClosed) this.#closings++;
    this.#isClosed = true;
  }

  open(): void {
    this.#isClosed = false;
    this.#opened.notify();
  }

  /** Resolves when it is open. @throws the signal's reason */
  async opened(signal: AbortSignal): Promise<void> {
    while (this.#isClosed) await this.#opened.wait(signal);
  }
}
