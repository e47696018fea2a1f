/** Callers that read the same elements at the same time share a read: a hundred of them ask no program a hundred times. */

import { unlessAborted, within } from "../../core/deadline.ts";
import type { Accessibility, ReadTree, TreeReading } from "../../platform/types/mod.ts";

/** What is read, by whomever. */
type WantedRead = Omit<TreeReading, "signal">;

interface Shared {
  readonly tree: Promise<ReadTree>;
  readonly end: AbortController;
  readers: number;
}

/**
 * The longest time that a read waits for the one before it, in milliseconds: a program that does not answer holds up nobody
 * for longer than his own read.
 */
const LONGEST_WAIT_MS = 250;

export class SharedReads {
  /** Of each display; one that is opened anew shares nothing with what it was. */
  readonly #displays = new WeakMap<Accessibility, DisplayReads>();

  /**
   * What is there from now on: the read begins after this call.
   * @throws what {@link Accessibility.read} throws; the signal's reason
   */
  async read(
    accessibility: Accessibility,
    reading: TreeReading,
  ): Promise<ReadTree> {
    const { scope } = reading;
    if (typeof scope === "object" && "element" in scope) return await accessibility.read(reading);
    const make = () => new DisplayReads(accessibility);
    return await this.#displays.getOrInsertComputed(accessibility, make).read(reading);
  }
}

class DisplayReads {
  /** By what is read: those that have not begun, which others join. */
  readonly #waiting = new Map<string, Shared>();
  /** The last of each that has begun, until it has settled. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(private readonly accessibility: Accessibility) {}

  async read({ signal, ...wanted }: TreeReading): Promise<ReadTree> {
    const key = JSON.stringify(wanted);
    const shared = this.#waiting.get(key) ?? this.#begin(key, wanted);
    shared.readers++;
    try {
      return await unlessAborted(shared.tree, signal);
    } finally {
      shared.readers--;
      if (shared.readers === 0) {
        if (this.#waiting.get(key) === shared) this.#waiting.delete(key);
        shared.end.abort(signal.reason);
      }
    }
  }

  #begin(key: string, wanted: WantedRead): Shared {
    const end = new AbortController();
    const read = () => this.accessibility.read({ ...wanted, signal: end.signal });
    const before = this.#last.get(key);
    const tree = before === undefined ? read() : this.#after(before, key, end.signal).then(read);
    const shared: Shared = { tree, end, readers: 0 };
    if (before !== undefined) this.#waiting.set(key, shared);
    const settled = tree.then(() => {}, () => {}).then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    this.#last.set(key, settled);
    return shared;
  }

  /** Waits for the read before; nobody joins from then on. */
  async #after(before: Promise<unknown>, key: string, signal: AbortSignal): Promise<void> {
    await within(before, LONGEST_WAIT_MS, signal);
    signal.throwIfAborted();
    this.#waiting.delete(key);
  }
}
