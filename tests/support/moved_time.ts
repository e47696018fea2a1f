/**
 * Real time that a test moves on: clocks of this process jump, and what is due by then is called. Other
 * than in a simulation everything else goes on meanwhile: sockets, displays, a browser.
 */

import { datesOf, replace } from "../simulation/virtual_time.ts";

/** Shorter timers are those of work that is under way, in milliseconds: they are as long as ever. */
const LONG_MS = 10_000;

type Call = (...args: unknown[]) => void;

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

export class MovedTime implements Disposable {
  #movedMs = 0;
  /** Those that wait for long. */
  readonly #timers = new Map<number, Timer>();
  readonly #restore: readonly (() => void)[];
  readonly #stop: (id?: number) => void = globalThis.clearTimeout;

  /** Time can be moved until it is disposed. */
  constructor() {
    const start = globalThis.setTimeout as unknown as (call: Call, ms: number) => number;
    const [now, today] = [performance.now.bind(performance), Date.now];
    this.#restore = [
      replace(performance, "now", () => now() + this.#movedMs),
      replace(globalThis, "Date", datesOf(() => today() + this.#movedMs)),
      replace(globalThis, "setTimeout", (call: Call, ms = 0, ...args: unknown[]) => {
        const run = () => {
          this.#timers.delete(id);
          call(...args);
        };
        const id = start(run, ms);
        if (ms >= LONG_MS) this.#timers.set(id, { at: performance.now() + ms, call: run });
        return id;
      }),
      replace(globalThis, "clearTimeout", (id?: number) => {
        if (id !== undefined) this.#timers.delete(id);
        this.#stop(id);
      }),
    ];
  }

  /** A timer that is due later still waits as long as it would have without that. */
  moveOn(ms: number): void {
    this.#movedMs += ms;
    const due = [...this.#timers].filter(([, { at }]) => at <= performance.now());
    for (const [id, { call }] of due.sort(([, one], [, other]) => one.at - other.at)) {
      if (!this.#timers.has(id)) continue; // what was called has ended it
      this.#stop(id);
      call();
    }
  }

  [Symbol.dispose](): void {
    for (const restore of this.#restore) restore();
  }
}
