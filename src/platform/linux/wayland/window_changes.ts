/** Those who wait for the next change of any window. */

export class WindowChanges {
  readonly #waiting = new Set<() => void>();

  tell(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves at the next change; rejects with the signal's reason. */
  next(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = () => reject(signal.reason);
    this.#waiting.add(resolve);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    const forget = () => {
      this.#waiting.delete(resolve);
      signal.removeEventListener("abort", abort);
    };
    promise.then(forget, forget);
    return promise;
  }
}
