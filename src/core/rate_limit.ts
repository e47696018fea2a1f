/** Bounds how often somebody may do something: so often a second, and more at once after a rest. */

export class RateLimit {
  #left: number;
  #at = performance.now();

  /** @param burst how many are permitted at once after a rest */
  constructor(private readonly perSecond: number, private readonly burst: number) {
    this.#left = burst;
  }

  /**
   * Whether it may be done now; counts it if so.
   * @param count of what is done at once, at most as many as are permitted at once
   */
  take(count = 1): boolean {
    const now = performance.now();
    const earned = (now - this.#at) * this.perSecond / 1_000;
    this.#left = Math.min(this.burst, this.#left + earned);
    this.#at = now;
    if (this.#left < count) return false;
    this.#left -= count;
    return true;
  }
}
