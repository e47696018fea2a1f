/** A bounded number of places, and a bounded queue for them, in the order of arrival. */

export interface SemaphoreOptions {
  /** How many may be held at once. */
  readonly places: number;
  /** How many callers may wait; any number where it is left out. */
  readonly maxWaiting?: number;
  /** The error for those who come when the queue is full. */
  full?(): Error;
}

export interface Demand {
  /** How many places are taken together: 1 where it is left out. More than there are in all count as all. */
  readonly size?: number;
  /** Waits whatever happens: neither refused by a full queue nor dropped by {@link Semaphore.drop}. */
  readonly firm?: boolean;
}

/** What was acquired; giving it back a second time does nothing. */
export type Place = Disposable;

interface Waiting {
  readonly size: number;
  readonly firm: boolean;
  admit(place: Place): void;
  reject(reason: unknown): void;
}

export class Semaphore {
  #taken = 0;
  /** In the order of arrival; a Set, because those who leave may be anywhere in it. */
  readonly #waiting = new Set<Waiting>();

  constructor(private readonly options: SemaphoreOptions) {}

  /** How many places are held. */
  get taken(): number {
    return this.#taken;
  }

  /** How many callers wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** A place that is free now and that no other waits for. */
  tryAcquire(size = 1): Place | undefined {
    const wanted = Math.min(size, this.options.places);
    return this.#waiting.size === 0 && this.#fits(wanted) ? this.#give(wanted) : undefined;
  }

  /**
   * Resolves with a place, which the caller gives back with `using` or `finally`.
   * @throws what `full` makes when the queue is full; the signal's reason when it aborts before a place is given.
   */
  async acquire(signal?: AbortSignal, { size = 1, firm = false }: Demand = {}): Promise<Place> {
    signal?.throwIfAborted();
    const free = this.tryAcquire(size);
    if (free !== undefined) return free;
    const { places, maxWaiting = Infinity, full } = this.options;
    if (!firm && this.#waiting.size >= maxWaiting) throw full?.() ?? new Error("Too many wait");
    return await this.#wait({ size: Math.min(size, places), firm }, signal);
  }

  /**
   * Runs `work` with a place, before anything else when one is free; afterwards the place is free
   * again, whatever happens.
   */
  async run<T>(
    work: () => T | Promise<T>,
    signal?: AbortSignal,
    demand: Demand = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    using _place = this.tryAcquire(demand.size) ?? await this.acquire(signal, demand);
    signal?.throwIfAborted(); // it may have aborted in the moment in which the place was given
    return await work();
  }

  /** Rejects all who wait, but for the firm ones. */
  drop(reason: unknown): void {
    for (const waiting of [...this.#waiting]) if (!waiting.firm) waiting.reject(reason);
  }

  /** Resolves when all who hold a place, and all who wait now, have ended. */
  async idle(): Promise<void> {
    using _all = await this.acquire(undefined, { size: this.options.places, firm: true });
  }

  /** Who leaves is out of the queue before anything else can run, so that no place is given to them. */
  #wait(demand: Required<Demand>, signal: AbortSignal | undefined): Promise<Place> {
    return new Promise((resolve, reject) => {
      const leave = () => waiting.reject(signal?.reason);
      const waiting: Waiting = {
        ...demand,
        admit(place) {
          signal?.removeEventListener("abort", leave);
          resolve(place);
        },
        reject: (reason) => {
          signal?.removeEventListener("abort", leave);
          this.#waiting.delete(waiting);
          reject(reason);
          this.#admit(); // it may have been a large one that kept others waiting
        },
      };
      this.#waiting.add(waiting);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  #fits(size: number): boolean {
    return this.#taken + size <= this.options.places;
  }

  #give(size: number): Place {
    this.#taken += size;
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#taken -= size;
        this.#admit();
      },
    };
  }

  /** The first who waits is never overtaken, so that a large demand is met in the end. */
  #admit(): void {
    for (const next of this.#waiting) {
      if (!this.#fits(next.size)) return;
      this.#waiting.delete(next);
      next.admit(this.#give(next.size));
    }
  }
}
