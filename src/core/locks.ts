/** Bounds what is done at a time: locks by key, and semaphores; and how often something is done. */

import { unlessAborted } from "./deadline.ts";

interface QueuedWork<K> {
  readonly keys: readonly K[];
  /** Resolves when the work has ended; never rejects. */
  readonly ended: Promise<void>;
}

/**
 * Runs work with the same key one at a time, in the order of the calls, and work with different
 * keys concurrently.
 */
export class KeyedLock<K> {
  /** Running and waiting work, in the order of the calls. */
  readonly #held = new Set<QueuedWork<K>>();

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
    const before = [...this.#held].filter((other) =>
      other.keys.some((one) => keys.some((key) => this.overlap(one, key)))
    );
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
}

// A semaphore: a bounded number of permits and a bounded first-in, first-out queue for them.

interface SemaphoreOptions {
  readonly capacity: number;
  /** The most callers that may wait; no limit by default. */
  readonly maxWaiting?: number;
  /** Makes the error for a caller that arrives when the queue is full. */
  full?(): Error;
}

interface Demand {
  /** The number of permits to acquire together, 1 by default; a number above the total means all. */
  readonly size?: number;
  /** Always waits: is neither refused by a full queue nor dropped by {@link Semaphore.drop}. */
  readonly unconditional?: boolean;
}

/** The acquired permits; releasing them a second time has no effect. */
export type Permit = Disposable;

interface Waiter {
  readonly size: number;
  readonly unconditional: boolean;
  admit(permit: Permit): void;
  reject(reason: unknown): void;
}

export class Semaphore {
  #taken = 0;
  /** In the order of arrival; a Set, because a caller can leave from anywhere in the queue. */
  readonly #waiting = new Set<Waiter>();
  readonly #takeBack = (size: number): void => {
    this.#taken -= size;
    this.#admit();
  };

  constructor(private readonly options: SemaphoreOptions) {}

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Acquires permits only if they are free and no other caller waits. */
  tryAcquire(size = 1): Permit | undefined {
    const wanted = Math.min(size, this.options.capacity);
    return this.#waiting.size === 0 && this.#hasRoom(wanted) ? this.#give(wanted) : undefined;
  }

  /**
   * Resolves with a permit, which the caller releases with `using` or `finally`.
   * @throws the error of `full` when the queue is full; the signal's reason when it aborts before
   * the permit is granted
   */
  async acquire(
    signal?: AbortSignal,
    { size = 1, unconditional = false }: Demand = {},
  ): Promise<Permit> {
    signal?.throwIfAborted();
    const free = this.tryAcquire(size);
    if (free !== undefined) return free;
    const { capacity, maxWaiting = Infinity, full } = this.options;
    if (!unconditional && this.#waiting.size >= maxWaiting) {
      throw full?.() ?? new Error("Too many wait");
    }
    return await this.#wait({ size: Math.min(size, capacity), unconditional }, signal);
  }

  /** Runs `work` with a permit, synchronously when one is free, and always releases the permit. */
  async run<T>(
    work: () => T | Promise<T>,
    signal?: AbortSignal,
    demand: Demand = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    using _permit = this.tryAcquire(demand.size) ?? await this.acquire(signal, demand);
    signal?.throwIfAborted(); // it may have aborted when the permit was granted
    return await work();
  }

  /** Rejects all waiting callers except the unconditional ones. */
  drop(reason: unknown): void {
    for (const waiting of [...this.#waiting]) if (!waiting.unconditional) waiting.reject(reason);
  }

  /** Resolves when all current holders and all callers that wait now have finished. */
  async idle(): Promise<void> {
    using _all = await this.acquire(undefined, {
      size: this.options.capacity,
      unconditional: true,
    });
  }

  /** A caller that leaves is removed synchronously, so that it is never granted a permit. */
  #wait(demand: Required<Demand>, signal: AbortSignal | undefined): Promise<Permit> {
    return new Promise((resolve, reject) => {
      const leave = () => waiting.reject(signal?.reason);
      const waiting: Waiter = {
        ...demand,
        admit(permit) {
          signal?.removeEventListener("abort", leave);
          resolve(permit);
        },
        reject: (reason) => {
          signal?.removeEventListener("abort", leave);
          this.#waiting.delete(waiting);
          reject(reason);
          this.#admit(); // a large demand may have held up the others
        },
      };
      this.#waiting.add(waiting);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  #hasRoom(size: number): boolean {
    return this.#taken + size <= this.options.capacity;
  }

  #give(size: number): Permit {
    this.#taken += size;
    return new HeldPermits(size, this.#takeBack);
  }

  /** No caller overtakes the first in the queue, so that a large demand is met eventually. */
  #admit(): void {
    for (const next of this.#waiting) {
      if (!this.#hasRoom(next.size)) return;
      this.#waiting.delete(next);
      next.admit(this.#give(next.size));
    }
  }
}

/** A class, because an object with a function of its own takes twenty times as long to make. */
class HeldPermits implements Permit {
  constructor(private size: number, private readonly takeBack: (size: number) => void) {}

  [Symbol.dispose](): void {
    const { size } = this;
    this.size = 0;
    if (size > 0) this.takeBack(size);
  }
}

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
