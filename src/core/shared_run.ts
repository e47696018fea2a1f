/** Work that serves all who ask for it before it begins: those who come while it runs share the next run. */

export class SharedRun<T> {
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | undefined;
  #unfinished = 0;

  constructor(private readonly work: () => Promise<T>) {}

  /** Whether a run is under way or waits for its turn. */
  get busy(): boolean {
    return this.#unfinished > 0;
  }

  /** What the next run gives; it begins when the one under way has ended, well or not. */
  run(): Promise<T> {
    return this.#next ??= this.#begin();
  }

  /** Resolves when every run that was asked for has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }

  #begin(): Promise<T> {
    this.#unfinished++;
    const run = this.#last.then(() => {
      this.#next = undefined; // who comes from now on has come too late for this one
      return this.work();
    }).finally(() => this.#unfinished--);
    this.#last = run.catch(() => {});
    return run;
  }
}
