/** How long a reading may take, and what has ended it early. */

import { ServiceError } from "../../../core/errors.ts";
import { BusError } from "../bus/bus_error.ts";

export type Truncation = "elements" | "depth" | "time";

export class Budget {
  readonly truncated = new Set<Truncation>();
  readonly #end: number;

  constructor(timeMs: number, private readonly checkStop: () => void) {
    this.#end = performance.now() + timeMs;
  }

  /** Milliseconds that are left, at least 1. */
  remaining(): number {
    return Math.max(1, this.#end - performance.now());
  }

  /** @throws Stopped when the reading was cancelled */
  isOver(): boolean {
    this.checkStop();
    if (performance.now() < this.#end) return false;
    this.truncated.add("time");
    return true;
  }

  /** The result, or `undefined` when the object is gone or the time is up. */
  async attempt<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof BusError) return undefined;
      if (!isLate(error)) throw error;
      this.truncated.add("time");
      return undefined;
    }
  }
}

export function isLate(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "timed_out";
}
