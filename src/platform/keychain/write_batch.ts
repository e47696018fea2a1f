/** Changes that come while one write is under way are written together by the next: each waits for the write that holds it. */

type Save<K, V> = (changes: ReadonlyMap<K, V>) => Promise<void>;

interface Batch<K, V> {
  readonly changes: Map<K, V>;
  readonly saved: Promise<void>;
}

export class WriteBatch<K, V> {
  #next: Batch<K, V> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #running = 0;

  constructor(private readonly save: Save<K, V>) {}

  /** Whether something is being written or waits for it. */
  get busy(): boolean {
    return this.#running > 0;
  }

  /** Resolves when this change, and every earlier one of the same key, has been saved. */
  add(key: K, value: V): Promise<void> {
    this.#next ??= this.#begin();
    this.#next.changes.set(key, value);
    return this.#next.saved;
  }

  /** Resolves when everything that was added has been saved or has failed. */
  async idle(): Promise<void> {
    await this.#last;
  }

  #begin(): Batch<K, V> {
    const changes = new Map<K, V>();
    this.#running++;
    const saved = this.#last.then(() => {
      this.#next = undefined; // what comes from now on goes into the one after
      return this.save(changes);
    }).finally(() => this.#running--);
    this.#last = saved.catch(() => {});
    return { changes, saved };
  }
}
