/** Long work in steps on the thread that answers requests, which must have their turns in between. */

import { pause } from "./deadline.ts";

/** How long others may have to wait, in milliseconds. */
const MAX_MS = 5;

/**
 * Steps that wait for files alone do not let the network have its turn: the runtime looks for it after
 * many of them, or when it has nothing else to do.
 */
export class Turns {
  #since = performance.now();

  /** To be called between two steps; waits only where it is time for others. */
  async pass(): Promise<void> {
    if (performance.now() - this.#since < MAX_MS) return;
    await pause(0);
    this.#since = performance.now();
  }
}
