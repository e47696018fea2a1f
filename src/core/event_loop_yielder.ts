/** Interrupts long work on the main thread, so that requests get their turns. */

import { pause } from "./deadline.ts";

/** Longest time that other work waits, in milliseconds. */
const MAX_BLOCK_MS = 5;

/**
 * Needed even for steps that await file operations: the runtime polls the network only after many
 * of them, or when it is idle.
 */
export class EventLoopYielder {
  #since = performance.now();

  /** Call it between two steps; it waits only when other work is due. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#since < MAX_BLOCK_MS) return;
    await pause(0);
    this.#since = performance.now();
  }
}
