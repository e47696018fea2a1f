/** A bounded number of places, and a bounded queue for them, in the order of arrival. */

export interface SemaphoreOptions {
  /** How many may hold a place at once. */
  readonly places: number;
  /** How many may wait for one. */
  readonly maxWaiting: number;
  /** The error for those who come when the queue is full. */
  full(): Error;
}

/** One place; giving it back a second time does nothing. */
export type Place = Disposable;

export class Semaphore {
  #taken = 0;
  /** In the order of arrival; a Set, because those who leave may be anywhere in it. */
  readonly #waiting = new Set<(place: Place) => void>();

  constructor(private readonly options: SemaphoreOptions) {}

  /** How many places are held. */
  get taken(): number {
    return this.#taken;
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** A place that is free now and that no other waits for. */
  tryAcquire(): Place | undefined {
    return this.#taken < this.options.places ? this.#give() : undefined;
  }

  /**
   * Resolves with a place, which the caller gives back with `using` or `finally`.
   * @throws what `full` makes when the queue is full; the signal's reason when it aborts before a place is given.
   */
  async acquire(signal?: AbortSignal): Promise<Place> {
    signal?.throwIfAborted();
    const free = this.tryAcquire();
    if (free !== undefined) return free;
    if (this.#waiting.size >= this.options.maxWaiting) throw this.options.full();
    return await this.#wait(signal);
  }

  /** Runs `work` with a place; afterwards the place is free again, whatever happens. */
  async run<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    using _place = await this.acquire(signal);
    signal?.throwIfAborted(); // it may have aborted in the moment in which the place was given
    return await work();
  }

  /** Who leaves is out of the queue before anything else can run, so that no place is given to them. */
  #wait(signal: AbortSignal | undefined): Promise<Place> {
    return new Promise((resolve, reject) => {
      const admit = (place: Place) => {
        signal?.removeEventListener("abort", leave);
        resolve(place);
      };
      const leave = () => {
        this.#waiting.delete(admit);
        reject(signal?.reason);
      };
      this.#waiting.add(admit);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  #give(): Place {
    this.#taken++;
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#taken--;
        this.#admitNext();
      },
    };
  }

  #admitNext(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next);
    next(this.#give());
  }
}
