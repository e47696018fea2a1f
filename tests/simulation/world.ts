/** What a simulation decides by chance, always the same for one seed: who comes next, and what others answer when. */

import { ServiceError } from "../../src/core/errors.ts";
import { settle, VirtualTime } from "./virtual_time.ts";

/** The system answers within this time, in virtual milliseconds. */
const LONGEST_ANSWER_MS = 1_000;

/** Something of the system that has been asked for and has not come yet. */
interface Pending {
  readonly what: string;
  /** What of the same place answers in order: only the oldest can come. */
  readonly order: string | undefined;
  readonly askedMs: number;
  complete(): void;
  fail(error: Error): void;
}

/** One thing that can happen next. */
export interface Choice {
  readonly what: string;
  readonly weight: number;
  run(): void;
}

export interface Scenario {
  readonly seed: number;
  readonly calls: number;
  /** How likely each answer of the system is a failure, from 0 to 1. */
  readonly failures: number;
}

export interface Failures {
  /** How likely each is one, from 0 to 1. */
  readonly share?: number;
  /** Only this one, counted from 1. */
  readonly nth?: number;
}

export class World implements Disposable {
  readonly time = new VirtualTime();
  /** What has happened, for whoever looks for the cause of a failure. */
  readonly history: string[] = [];
  /** The log of the process meanwhile. */
  readonly logged: string[] = [];
  readonly #pending: Pending[] = [];
  /** What has happened so far. */
  steps = 0;
  #state: number;
  /** One bit for each kind of call. */
  #kinds: number | undefined;
  #answered = 0;

  /** @param fails which answers of the system are failures */
  constructor(readonly seed: number, private readonly fails: Failures = {}) {
    this.#state = seed * 2_654_435_761 >>> 0;
  }

  /** How many answers the system has given. */
  get answered(): number {
    return this.#answered;
  }

  [Symbol.dispose](): void {
    this.time[Symbol.dispose]();
  }

  /** From 0 to 1; mulberry32. */
  random(): number {
    this.#state = this.#state + 0x6d2b79f5 >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ bits >>> 15, bits | 1);
    bits ^= bits + Math.imul(bits ^ bits >>> 7, bits | 61);
    return ((bits ^ bits >>> 14) >>> 0) / 0x1_0000_0000;
  }

  /** A whole number below `count`. */
  below(count: number): number {
    return Math.floor(this.random() * count);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  /**
   * One of the kinds of which this world has some: half of all worlds leave out about half of the
   * kinds, so that two rare ones meet more often (swarm testing; Groce et al., ISSTA 2012).
   */
  pickKind<T>(from: readonly T[]): T {
    const kinds = this.#kinds ??= this.random() < 0.5 ? -1 : this.below(2 ** 31);
    const some = from.filter((_, index) => (kinds >> index & 1) === 1);
    return this.pick(some.length === 0 ? from : some);
  }

  /** Answers when the simulation decides, with what `value` is then. */
  answer<T>(what: string, value: () => T, order?: string): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const complete = () => {
      try {
        resolve(value());
      } catch (error) {
        reject(error);
      }
    };
    const askedMs = this.time.now;
    this.#pending.push({ what, order, askedMs, complete, fail: reject });
    return promise;
  }

  /**
   * Lets happen what can: one of `choices`, an answer of the system, or the next timer.
   * @returns whether there was anything
   */
  async step(choices: readonly Choice[]): Promise<boolean> {
    const all = [...choices, ...this.#answers()];
    const latest = Math.min(...this.#pending.map(({ askedMs }) => askedMs)) + LONGEST_ANSWER_MS;
    if (this.time.next !== undefined && this.time.next <= latest) {
      all.push({ what: "time passes", weight: 0.5, run: () => this.time.advance() });
    }
    if (all.length === 0) return false;
    let at = this.random() * all.reduce((sum, { weight }) => sum + weight, 0);
    const chosen = all.find(({ weight }) => (at -= weight) < 0) ?? all.at(-1)!;
    this.history.push(`${this.time.now.toFixed(1)} ${chosen.what}`);
    this.steps++;
    chosen.run();
    await settle();
    return true;
  }

  #answers(): Choice[] {
    const seen = new Set<string>();
    return this.#pending.flatMap((pending) => {
      const { what, order } = pending;
      if (order !== undefined && seen.has(order)) return [];
      if (order !== undefined) seen.add(order);
      const run = () => {
        this.#pending.splice(this.#pending.indexOf(pending), 1);
        const isChosen = ++this.#answered === this.fails.nth;
        if (!isChosen && this.random() >= (this.fails.share ?? 0)) return pending.complete();
        this.history.push(`  ${what} fails`);
        pending.fail(new ServiceError("unavailable", "The display went away; try again"));
      };
      return [{ what: `${what} is answered`, weight: 1, run }];
    });
  }
}
