/** Bounds how often somebody may do something: so often a second, and more at once after a rest. */

export class RateLimit {
  #left: number;
  #at = performance.now();

  /** @param burst how many are permitted at once after a rest */
  constructor(private readonly perSecond: number, private readonly burst: number) {
    this.#left = burst;
  }

  /** Whether it may be done now; counts it if so. */
  take(): boolean {
    const now = performance.now();
    const earned = (now - this.#at) * this.perSecond / 1_000;
    this.#left = Math.min(this.burst, this.#left + earned);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
