/** Changes that come while one write is under way are written together by the next: each waits for the write that holds it. */

import { SharedRun } from "../../core/shared_run.ts";

type Save<K, V> = (changes: ReadonlyMap<K, V>) => Promise<void>;

export class WriteBatch<K, V> {
  #changes = new Map<K, V>();
  readonly #saving: SharedRun<void>;

  constructor(save: Save<K, V>) {
    this.#saving = new SharedRun(() => {
      const changes = this.#changes;
      this.#changes = new Map();
      return save(changes);
    });
  }

  /** Whether something is being written or waits for it. */
  get busy(): boolean {
    return this.#saving.busy;
  }

  /** Resolves when this change, and every earlier one of the same key, has been saved. */
  add(key: K, value: V): Promise<void> {
    this.#changes.set(key, value);
    return this.#saving.run();
  }

  /** Resolves when everything that was added has been saved or has failed. */
  idle(): Promise<void> {
    return this.#saving.idle();
  }
}
