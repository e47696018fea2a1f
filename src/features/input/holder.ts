/**
 * Keeps what several operations leave pressed, and releases it at their common end: at the end of a
 * batch, for example.
 */

import { ServiceError } from "../../core/errors.ts";
import type { DisplaySession } from "../session.ts";

/**
 * Releases what its operations have pressed and not released, when disposed and at once when
 * `signal` aborts; what others hold stays down.
 */
export class Holder implements AsyncDisposable {
  readonly #displaySessions = new Set<DisplaySession>();
  readonly #onAbort = () => {
    this.release().catch(() => {}); // disposing releases again, and reports
  };

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Records that an operation of this holder has left something pressed on a display. */
  note(displaySession: DisplaySession): void {
    this.#displaySessions.add(displaySession);
    if (this.signal.aborted) this.#onAbort(); // it was pressed after the others were released
  }

  /** Releases everything now. */
  async release(): Promise<void> {
    for (const { held } of this.#displaySessions) held.letGo(this);
    await Promise.all([...this.#displaySessions].map(confirmRelease));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal.removeEventListener("abort", this.#onAbort);
    await this.release();
  }
}

async function confirmRelease({ input }: DisplaySession): Promise<void> {
  try {
    await input.confirm();
  } catch (error) {
    // a closed display holds nothing down
    if (!(error instanceof ServiceError && error.code === "unavailable")) throw error;
  }
}
