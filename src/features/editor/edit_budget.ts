/** Bounds the memory of edits that run at once: each holds a whole file, and the next waits until there is room. */

/** Who waits is served in the order of arrival, so that a large file is not overtaken for ever. */
export class EditBudget {
  readonly #waiting: { readonly bytes: number; readonly start: () => void }[] = [];
  #used = 0;

  constructor(private readonly maxBytes: number) {}

  /** Memory in use, in bytes. */
  get used(): number {
    return this.#used;
  }

  /**
   * Runs `work` when so many bytes are free; more than there are in all count as all.
   * @throws the signal's reason when it aborts before that: `work` is not begun then.
   */
  async run<T>(wanted: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const bytes = Math.min(wanted, this.maxBytes);
    await this.#take(bytes);
    try {
      signal.throwIfAborted(); // in its turn, so that nobody is overtaken; turns are short
      return await work();
    } finally {
      this.#used -= bytes;
      this.#startNext();
    }
  }

  async #take(bytes: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ bytes, start: resolve });
    this.#startNext();
    await promise;
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#used + next.bytes > this.maxBytes) return;
      this.#waiting.shift();
      this.#used += next.bytes;
      next.start();
    }
  }
}
