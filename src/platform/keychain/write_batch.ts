/**
 * Batches writes: changes that arrive during a write are written together by the next one, and each
 * waits for the write that contains it.
 */

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

  /** Whether a write is under way or waiting. */
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
