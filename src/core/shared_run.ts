/**
 * Shares work between callers: calls that arrive before a run begins share it; calls during a run
 * share the next one. What is made once and kept is shared by all.
 */

import { unlessAborted } from "./deadline.ts";

export class SharedRun<T> {
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | undefined;
  #unfinished = 0;

  constructor(private readonly work: () => Promise<T>) {}

  /** Whether a run is under way or waiting. */
  get busy(): boolean {
    return this.#unfinished > 0;
  }

  /** Resolves with the result of the next run, which begins when the current one has settled. */
  run(): Promise<T> {
    return this.#next ??= this.#begin();
  }

  /** Resolves when every requested run has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }

  #begin(): Promise<T> {
    this.#unfinished++;
    const run = this.#last.then(() => {
      this.#next = undefined; // later callers get the next run
      return this.work();
    }).finally(() => this.#unfinished--);
    this.#last = run.catch(() => {});
    return run;
  }
}

/** Those who wait for the next news of something. */
export class Waiters {
  readonly #waiting = new Set<() => void>();

  /** Resolves at the next {@link notify}. @throws the signal's reason */
  async wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    using _waiting = addMember(this.#waiting, resolve);
    await unlessAborted(promise, signal);
  }

  /** Those who wait again because of this are not notified a second time. */
  notify(): void {
    for (const resolve of this.#waiting) resolve();
  }
}

/** A function that makes it when it is first called; what fails is tried again by the next call. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
}

/** Adds a member, a listener above all, until the result is disposed of. */
export function addMember<T>(set: Set<T>, member: T): Disposable {
  set.add(member);
  return { [Symbol.dispose]: () => void set.delete(member) };
}
