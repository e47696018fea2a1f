/**
 * Time that passes only when a simulation says so: timers, clocks and signals of this process follow it. One simulation
 * runs at a time.
 */

import { setImmediate } from "node:timers";

interface Timer {
  readonly id: number;
  readonly at: number;
  readonly call: () => void;
  /** Of an interval. */
  readonly everyMs: number | undefined;
}

/** At the end: what sets a timer for now at each call would have no end. */
const MAX_LAST_CALLS = 1_000;

type Call = (...args: unknown[]) => void;

export class VirtualTime implements Disposable {
  #now = 0;
  #lastId = 0;
  readonly #timers = new Map<number, Timer>();
  readonly #restore: readonly (() => void)[];

  /** From now on this process has virtual time, until it is disposed. */
  constructor() {
    const start = Date.UTC(2026, 0, 1);
    const set = (call: Call, ms = 0, ...args: unknown[]) => this.#add(() => call(...args), ms);
    const repeat = (call: Call, ms = 0, ...args: unknown[]) =>
      this.#add(() => call(...args), ms, Math.max(1, ms));
    const clear = (id?: number) => void this.#timers.delete(id ?? 0);
    this.#restore = [
      replace(globalThis, "setTimeout", set),
      replace(globalThis, "setInterval", repeat),
      replace(globalThis, "clearTimeout", clear),
      replace(globalThis, "clearInterval", clear),
      replace(performance, "now", () => this.#now),
      replace(globalThis, "Date", datesOf(() => start + this.#now)),
      replace(AbortSignal, "timeout", (ms: number) => {
        const controller = new AbortController();
        const end = () => controller.abort(new DOMException("The time is up", "TimeoutError"));
        this.#add(end, ms);
        return controller.signal;
      }),
    ];
  }

  /** Milliseconds since the start. */
  get now(): number {
    return this.#now;
  }

  /** When the next timer is due; `undefined` where there is none. */
  get next(): number | undefined {
    return this.#first?.at;
  }

  get #first(): Timer | undefined {
    const [first, ...others] = this.#timers.values();
    return first && others.reduce((one, other) => other.at < one.at ? other : one, first);
  }

  /** Lets time pass until the next timer, and calls that one alone. */
  advance(): void {
    const next = this.#first;
    if (next === undefined) throw new Error("There is no timer");
    this.#now = Math.max(this.#now, next.at);
    this.#timers.delete(next.id);
    if (next.everyMs !== undefined) {
      this.#timers.set(next.id, { ...next, at: this.#now + next.everyMs });
    }
    next.call();
  }

  /** What is due is done: who waits for a turn of the event loop is not left for ever. */
  [Symbol.dispose](): void {
    for (let left = MAX_LAST_CALLS; left > 0 && this.next! <= this.#now; left--) this.advance();
    for (const restore of this.#restore) restore();
  }

  #add(call: () => void, ms: number, everyMs?: number): number {
    const id = ++this.#lastId;
    this.#timers.set(id, { id, at: this.#now + Math.max(0, ms), call, everyMs });
    return id;
  }
}

/** Dates whose present is what `now` says. */
export function datesOf(now: () => number): DateConstructor {
  return class extends Date {
    constructor(given: string | number | Date = now()) {
      super(given);
    }

    static override now = now;
  } as unknown as DateConstructor;
}

/** Resolves when everything has run that needs no time and nobody outside. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export function replace<T extends object>(of: T, name: keyof T & string, by: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(of, name);
  Object.defineProperty(of, name, { value: by, configurable: true, writable: true });
  return () => {
    if (own === undefined) delete of[name];
    else Object.defineProperty(of, name, own);
  };
}
