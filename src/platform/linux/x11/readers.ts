/** The windows that got keys whose characters their programs may still have to look up. */

import { pause } from "../../../core/deadline.ts";
import type { X11Connection } from "./connection.ts";
import type { Programs, Verdict } from "./settle.ts";

export class Readers {
  readonly #windows = new Set<number>();
  /** Keys were sent, and it is not known yet to which window. */
  #sent = false;
  /** `performance.now()` of the last key. */
  #lastUse = 0;

  constructor(
    private readonly connection: X11Connection,
    private readonly programs: Programs,
    /** How long a program that cannot be asked is given. */
    private readonly settleMs: number,
  ) {
    connection.onConfirm((focus) => {
      if (!this.#sent) return;
      this.#sent = false;
      this.#windows.add(focus);
    });
  }

  /** How long ago the last key was sent, or {@link touch} called. */
  get idleMs(): number {
    return performance.now() - this.#lastUse;
  }

  touch(): void {
    this.#lastUse = performance.now();
  }

  noteSent(): void {
    this.#sent = true;
    this.touch();
  }

  /** Asks all of them once; those that have caught up are not asked again. */
  async ask(): Promise<Verdict> {
    if (this.#windows.size === 0 && !this.#sent) return "caught up";
    await this.connection.confirm(); // so that it is known who got the last keys
    const asked = [...this.#windows];
    const verdict = await this.programs.caughtUp(asked);
    if (verdict === "caught up") { for (const window of asked) this.#windows.delete(window); }
    return verdict;
  }

  /** Asks until none is silent any more or `patienceMs` are over; one that cannot be asked is given a while. */
  async settle(patienceMs: number, signal?: AbortSignal): Promise<Verdict> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const verdict = await this.ask();
      signal?.throwIfAborted();
      const rest = this.settleMs - this.idleMs;
      if (verdict === "unknown" && rest > 0) {
        await pause(rest);
      }
      if (verdict !== "silent" || performance.now() >= deadline) return verdict;
    }
  }

  /** Nothing of what they got is lent any more. */
  clear(): void {
    this.#windows.clear();
    this.#sent = false;
  }
}
