/** One lock per key: edits of one file wait for each other, in the order of arrival. */

export class PathLocks {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` when all earlier work under the same key has ended, well or not. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const { promise: done, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, done);
    await before;
    try {
      return await work();
    } finally {
      if (this.#last.get(key) === done) this.#last.delete(key);
      resolve();
    }
  }

  /** Runs `work` on an existing file that nobody else of us changes meanwhile, under this name or another one. */
  async runOnFile<T>(path: string, work: () => Promise<T>): Promise<T> {
    return await this.run(path, async () => {
      const { dev, ino } = await Deno.stat(path);
      return await this.run(`${dev}:${ino}`, work);
    });
  }
}
