/** Those who wait for the next news of something. */

export class Waiters {
  readonly #waiting = new Set<() => void>();

  /** Resolves at the next {@link tell}. @throws the signal's reason */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = () => {
        this.#waiting.delete(told);
        signal.removeEventListener("abort", abort);
      };
      const told = () => {
        finish();
        resolve();
      };
      const abort = () => {
        finish();
        reject(signal.reason);
      };
      if (signal.aborted) return abort();
      this.#waiting.add(told);
      signal.addEventListener("abort", abort);
    });
  }

  /** Those who wait again because of this are not told a second time. */
  tell(): void {
    for (const told of [...this.#waiting]) told();
  }
}
