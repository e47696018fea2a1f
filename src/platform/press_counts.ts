/** Counts what needs each key down: several symbols can need the same one, as a modifier. */

import { ServiceError } from "../core/errors.ts";

export class PressCounts {
  readonly #counts = new Map<number, number>();

  keys(): IterableIterator<number> {
    return this.#counts.keys();
  }

  has(key: number): boolean {
    return this.#counts.has(key);
  }

  /** Whether it is the first press, with which the key goes down. */
  press(key: number): boolean {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return count === 0;
  }

  /** Whether it is the last release, with which the key goes up. */
  release(key: number): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count <= 1) return this.#counts.delete(key);
    this.#counts.set(key, count - 1);
    return false;
  }

  /** The key is up, whatever needed it. */
  forget(key: number): void {
    this.#counts.delete(key);
  }
}

/** A key makes one symbol at a time. */
export function keyTaken(name: string): ServiceError {
  const state = "its key is already held down for another symbol";
  return new ServiceError("conflict", `Cannot press "${name}": ${state}`);
}
