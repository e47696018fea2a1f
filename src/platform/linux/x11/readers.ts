/**
 * Tracks the windows that received keys whose characters their programs possibly still have to look
 * up.
 */

import { pause } from "../../../core/deadline.ts";
import type { X11Connection } from "./connection.ts";
import type { Programs, Verdict } from "./settle.ts";

export class Readers {
  readonly #windows = new Set<number>();
  /** Keys were sent, and the window that received them is not known yet. */
  #sent = false;
  /** `performance.now()` of the last key. */
  #lastUse = 0;

  constructor(
    private readonly connection: X11Connection,
    private readonly programs: Programs,
    /** How long to wait for a program that does not support pings. */
    private readonly settleMs: number,
  ) {
    connection.onConfirm({
      isWaiting: () => this.#sent,
      learn: (focus) => {
        this.#sent = false;
        this.#windows.add(focus);
      },
    });
  }

  /** The time since the last key was sent or {@link touch} was called. */
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

  /** Pings all programs once; those that have caught up are not asked again. */
  async ask(): Promise<Verdict> {
    if (this.#windows.size === 0 && !this.#sent) return "caught up";
    await this.connection.confirm(); // to learn which window got the last keys
    const asked = [...this.#windows];
    const verdict = await this.programs.caughtUp(asked);
    if (verdict === "caught up") { for (const window of asked) this.#windows.delete(window); }
    return verdict;
  }

  /**
   * Asks until no program is silent or `patienceMs` have passed; waits `settleMs` for one that
   * cannot be asked.
   */
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

  /** Call it when none of the keycodes that the windows received is lent any more. */
  clear(): void {
    this.#windows.clear();
    this.#sent = false;
  }
}
