/** Who asks a simulated display for what, and when nothing is going on there. */

import { AsyncLocalStorage } from "node:async_hooks";
import type { ChangeState } from "../../src/platform/types/mod.ts";
import type { Period } from "./simulated_form.ts";

/** What a caller has asked the display for. */
export interface Asked {
  /** When, in milliseconds, it asked what had changed. */
  readonly pollsMs: number[];
  /** The moment that each answer to that was about. */
  readonly polled: number[];
  /** The moment at which what it waits in was remembered, or a later one. */
  remembered?: number;
}

/** Knows for which caller something is asked, however far from its request. */
export class Askers {
  readonly #calls = new AsyncLocalStorage<Asked>();
  readonly #asked: Asked[] = [];
  /** The moment that the last poll was about. */
  #state = 0;

  constructor(private readonly time: { readonly now: number }) {}

  get current(): Asked | undefined {
    return this.#calls.getStore();
  }

  /** What the call of this number has asked for. */
  of(number: number): Asked {
    return this.#asked[number] ??= { pollsMs: [], polled: [] };
  }

  run<T>(number: number, work: () => T): T {
    return this.#calls.run(this.of(number), work);
  }

  async notePoll(poll: () => Promise<ChangeState>): Promise<ChangeState> {
    const asked = this.current;
    asked?.pollsMs.push(this.time.now);
    const state = await poll();
    asked?.polled.push(this.#state);
    return state;
  }

  noteState(moment: number): void {
    this.#state = moment;
  }
}

/** When nothing was going on. */
export class Activity {
  #running = 0;
  #idleSinceMs = 0;
  readonly #idle: Period[] = [];

  constructor(private readonly time: { readonly now: number }) {}

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.begin();
    try {
      return await work();
    } finally {
      this.end();
    }
  }

  begin(): void {
    if (this.#running++ > 0 || this.time.now === this.#idleSinceMs) return;
    this.#idle.push({ fromMs: this.#idleSinceMs, toMs: this.time.now });
  }

  end(): void {
    if (--this.#running === 0) this.#idleSinceMs = this.time.now;
  }

  /** The longest part of a period in which nothing was going on. */
  longestIdle({ fromMs, toMs }: Period): Period {
    const last = this.#running === 0 ? [{ fromMs: this.#idleSinceMs, toMs }] : [];
    const parts = [...this.#idle, ...last].map((each) => ({
      fromMs: Math.max(fromMs, each.fromMs),
      toMs: Math.min(toMs, each.toMs),
    }));
    return parts.reduce(
      (longest, each) => each.toMs - each.fromMs > longest.toMs - longest.fromMs ? each : longest,
      { fromMs, toMs: fromMs },
    );
  }
}
