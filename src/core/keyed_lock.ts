/** Work with the same key runs one after the other, in the order of the calls; work with other keys at the same time. */

import { unlessAborted } from "./deadline.ts";

interface Held<K> {
  readonly keys: readonly K[];
  /** Never rejects. */
  readonly ended: Promise<void>;
}

export class KeyedLock<K> {
  /** Work that runs or waits, in the order of the calls. */
  readonly #held = new Set<Held<K>>();

  /** @param overlap whether work with these two keys must not run at the same time */
  constructor(private readonly overlap: (one: K, other: K) => boolean = Object.is) {}

  /** How many run or wait. */
  get size(): number {
    return this.#held.size;
  }

  /**
   * Runs `work` when all earlier work that overlaps has ended, well or not, and before anything else
   * when there is none. All keys are taken together, so that nobody waits with a part of them.
   * @throws the signal's reason when it aborts before that: `work` is not begun then.
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
