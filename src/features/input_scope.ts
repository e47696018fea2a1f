/**
 * Keeps what several operations leave pressed, and releases it at their common end: at the end of a
 * batch, for example.
 */

import { ignoreCode } from "../core/errors.ts";
import type { Input } from "../platform/types/mod.ts";

/** A display on which something may be left pressed. */
interface PressedDisplay {
  readonly held: { releaseScope(inputScope: InputScope): void };
  readonly input: Pick<Input, "confirm">;
}

/**
 * Releases what its operations have pressed and not released, when disposed and at once when the
 * caller's signal aborts; what others hold stays down. Its own signal is for its operations: it
 * aborts with the caller's and when release-all ends all input.
 */
export class InputScope implements AsyncDisposable {
  readonly #displaySessions = new Set<PressedDisplay>();
  /** By what is down, elsewhere than on a display. */
  readonly #elsewhere = new Set<() => Promise<void>>();
  readonly #controller = new AbortController();

  constructor(
    private readonly caller: AbortSignal,
    /** All that run; this one is among them until its end. */
    private readonly running: Set<InputScope>,
  ) {
    running.add(this);
    if (caller.aborted) this.#onAbort();
    else caller.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Aborts when the caller has gone, or when release-all ends all input. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends its operations and releases everything at once. */
  end(reason: unknown): void {
    this.#controller.abort(reason);
    this.release().catch(() => {}); // disposing releases again, and reports
  }

  /** Records that an operation of this holder has left something pressed on a display. */
  note(displaySession: PressedDisplay): void {
    this.#displaySessions.add(displaySession);
    if (this.signal.aborted) displaySession.held.releaseScope(this); // it came after the end
  }

  /** @param release of what an operation of this holder has left pressed elsewhere, if it still is */
  noteElsewhere(release: () => Promise<void>): void {
    if (this.signal.aborted) release().catch(() => {}); // it came after the end
    else this.#elsewhere.add(release);
  }

  /** Releases everything now; resolves when the displays have processed it. */
  async release(): Promise<void> {
    for (const { held } of this.#displaySessions) held.releaseScope(this);
    // a closed display or browser holds nothing down
    const elsewhere = [...this.#elsewhere].map((end) => ignoreCode("unavailable", end));
    this.#elsewhere.clear();
    const displays = [...this.#displaySessions].map(({ input }) =>
      ignoreCode("unavailable", () => input.confirm())
    );
    await Promise.all([...elsewhere, ...displays]);
  }

  /** Ends; what is down stays so. */
  leave(): void {
    this.running.delete(this);
    this.caller.removeEventListener("abort", this.#onAbort);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.leave();
    await this.release();
  }

  readonly #onAbort = () => this.end(this.caller.reason);
}
