/** What a reading may take, and what has ended it early. */

import { ServiceError } from "../../../core/errors.ts";
import { MAX_READ_TEXT } from "../../element_texts.ts";
import { BusError } from "../bus/types.ts";

export type Truncation = "elements" | "depth" | "size" | "time";

/** What a reading has left of everything but time. */
interface Left {
  objects: number;
  text: number;
  readonly truncated: Set<Truncation>;
  readonly damaged: Set<string>;
}

export class Budget {
  readonly #end: number;
  readonly #left: Left;

  /** @param objects how many objects may be asked for, whatever programs claim to have */
  constructor(
    timeMs: number,
    private readonly checkStop: () => void,
    objects: number | Left = Infinity,
  ) {
    this.#end = performance.now() + timeMs;
    this.#left = typeof objects === "object"
      ? objects
      : { objects, text: MAX_READ_TEXT, truncated: new Set(), damaged: new Set() };
  }

  get truncated(): Set<Truncation> {
    return this.#left.truncated;
  }

  /** Names on the bus of the programs that gave answers which nobody can use. */
  get damaged(): ReadonlySet<string> {
    return this.#left.damaged;
  }

  /** The same budget with less time. */
  within(ms: number): Budget {
    return new Budget(Math.min(ms, this.remaining()), this.checkStop, this.#left);
  }

  /** Takes objects that are to be asked for; how many of them may be. */
  takeObjects(wanted: number): number {
    const taken = Math.min(wanted, this.#left.objects);
    if (taken < wanted) this.truncated.add("elements");
    this.#left.objects -= taken;
    return taken;
  }

  /** Takes the texts of an object; `false`: they are one too many. */
  takeText(...texts: readonly (string | undefined)[]): boolean {
    for (const text of texts) this.#left.text -= text?.length ?? 0;
    if (this.#left.text < 0) this.truncated.add("size");
    return this.#left.text >= 0;
  }

  /** Milliseconds that are left, at least 1. */
  remaining(): number {
    return Math.max(1, this.#end - performance.now());
  }

  /** @throws Stopped when the reading was cancelled */
  isOver(): boolean {
    this.checkStop();
    if (this.#left.text < 0) return true;
    if (performance.now() < this.#end) return false;
    this.truncated.add("time");
    return true;
  }

  /** The result, or `undefined` when the object is gone or the time is up. */
  async attempt<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      if (!isLate(error)) return this.note(error);
      this.truncated.add("time");
      return undefined;
    }
  }

  /** Works on so many items at a time until it is over; leaves out what has no result. */
  async inBatches<T, R>(
    items: readonly T[],
    size: number,
    work: (item: T) => Promise<R | undefined>,
  ): Promise<R[]> {
    const results: R[] = [];
    for (let at = 0; at < items.length && !this.isOver(); at += size) {
      const some: (R | undefined)[] = await Promise.all(items.slice(at, at + size).map(work));
      results.push(...some.filter((each) => each !== undefined));
    }
    return results;
  }

  /**
   * Keeps in mind whose answers nobody can use.
   * @throws what no program has answered
   */
  note(error: unknown): undefined {
    if (!(error instanceof BusError)) throw error;
    if (error.isDamaged) this.#left.damaged.add(error.destination);
  }
}

export function isLate(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "timed_out";
}
