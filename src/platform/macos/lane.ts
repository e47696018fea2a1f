/** The one order in which processes of the input run, for all displays: there is one cursor and one keyboard. */

export class Lane {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `task` when all earlier ones have ended; an error belongs to its caller, and those behind go on. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves when everything that was given so far has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
