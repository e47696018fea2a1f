/**
 * Shares the time for reading output among all commands, so that noisy ones do not delay the
 * others.
 */

/**
 * Reads of up to 64 KiB per tick: about 250 MiB per second for all commands together, using a tenth
 * of one core.
 */
const READS = 4;
const TICK_MS = 2;

export class DrainPace {
  #left = READS;
  readonly #waiting: (() => void)[] = [];
  #ticking = false;

  /**
   * Resolves when the caller may read once more, in order of arrival; `undefined` when it may read
   * immediately.
   */
  turn(): Promise<void> | undefined {
    if (!this.#ticking) this.#startTick();
    if (this.#left > 0) {
      this.#left--;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #startTick(): void {
    this.#ticking = true;
    setTimeout(() => this.#tick(), TICK_MS);
  }

  #tick(): void {
    const next = this.#waiting.splice(0, READS);
    this.#left = READS - next.length;
    this.#ticking = false;
    if (next.length > 0) this.#startTick();
    for (const resolve of next) resolve();
  }
}
