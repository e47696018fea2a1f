/**
 * Runs work with the same key one at a time, in the order of the calls, and work with different
 * keys concurrently.
 */

import { unlessAborted } from "./deadline.ts";

interface Held<K> {
  readonly keys: readonly K[];
  /** Resolves when the work has ended; never rejects. */
  readonly ended: Promise<void>;
}

export class KeyedLock<K> {
  /** Running and waiting work, in the order of the calls. */
  readonly #held = new Set<Held<K>>();

  /** @param overlap whether work with these two keys must not run at the same time */
  constructor(private readonly overlap: (one: K, other: K) => boolean = Object.is) {}

  /** The number of running and waiting pieces of work. */
  get size(): number {
    return this.#held.size;
  }

  /**
   * Runs `work` when all earlier overlapping work has finished or failed; synchronously when there
   * is none. All keys are taken together, so no work waits while it holds some of them.
   * @throws the signal's reason when it aborts before `work` begins; `work` never begins then
   */
  async run<T>(
    keys: readonly K[],
    work: () => T | Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    signal?.throwIfAborted();
    const before = [...this.#held].filter((other) => this.#overlap(other.keys, keys));
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const held = { keys, ended };
    this.#held.add(held);
    try {
      if (before.length > 0) {
        await unlessAborted(Promise.all(before.map((other) => other.ended)), signal);
      }
      return await work();
    } finally {
      this.#held.delete(held);
      resolve();
    }
  }

  #overlap(some: readonly K[], others: readonly K[]): boolean {
    return some.some((one) => others.some((other) => this.overlap(one, other)));
  }
}
