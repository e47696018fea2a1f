/**
 * Sends input in order. compositors stamp input with the time at which they read it, so a pause between two
 * presses is made here: what comes after it waits.
 */

interface Step {
  readonly delayMs: number;
  readonly send: () => void;
}

export class InputQueue {
  readonly #waiting: Step[] = [];
  #idle: PromiseWithResolvers<void> | undefined;

  /** Sends at once, unless it or something before it has to wait. */
  add(send: () => void, delayMs = 0): void {
    if (this.#idle === undefined && delayMs === 0) return send();
    this.#waiting.push({ send, delayMs });
    if (this.#idle !== undefined) return;
    this.#idle = Promise.withResolvers();
    this.#next();
  }

  /** Resolves when everything that was added has been sent. */
  async sent(): Promise<void> {
    await this.#idle?.promise;
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#waiting[0]!.delayMs === 0) {
      this.#waiting.shift()!.send();
    }
    const [first] = this.#waiting;
    if (first !== undefined) {
      this.#waiting[0] = { ...first, delayMs: 0 };
      setTimeout(() => this.#next(), first.delayMs);
      return;
    }
    this.#idle!.resolve();
    this.#idle = undefined;
  }
}
