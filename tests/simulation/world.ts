/** What a simulation decides by chance, always the same for one seed: who comes next, and what others answer when. */

import { ServiceError } from "../../src/core/errors.ts";
import { type Chance, chanceOf, highest } from "./chance.ts";
import { settle, VirtualTime } from "./virtual_time.ts";

/** The system answers within this time, in virtual milliseconds. */
const LONGEST_ANSWER_MS = 1_000;

/** Something of the system that has been asked for and has not come yet. */
interface Pending {
  readonly what: string;
  /** What of the same place answers in order: only the oldest can come. */
  readonly order: string | undefined;
  readonly askedMs: number;
  /** As soon as it can come. */
  coming?: Coming;
  complete(): void;
  fail(error: Error): void;
}

/** When something comes, among all that can, and what it decides by chance then. */
interface Coming {
  readonly at: number;
  readonly chance: Chance;
}

/** One thing that can happen next. */
export interface Choice {
  /** No other one has the same name. */
  readonly what: string;
  readonly weight: number;
  run(): void;
}

export interface Scenario {
  readonly seed: number;
  readonly calls: number;
  /** How likely each answer of the system is a failure, from 0 to 1. */
  readonly failures: number;
  /** The only operations that callers choose from, where these are among what they can do; all when absent. */
  readonly operations?: readonly string[] | undefined;
}

export interface Chances {
  /** How likely each is one, from 0 to 1. */
  readonly share?: number;
  /** Only this one, counted from 1. */
  readonly nth?: number;
  /** See {@link Scenario}. */
  readonly operations?: Scenario["operations"];
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
  /** How far the race is in which whatever can happen takes part; nobody can see it. */
  #raced = 0;
  /** Of what happens now. */
  #chance: Chance;
  readonly #choices = new Map<string, Coming>();
  /** How often each name has been planned. */
  readonly #planned = new Map<string, number>();
  #answered = 0;

  /** @param chances which answers of the system are failures, and what callers do */
  constructor(readonly seed: number, private readonly chances: Chances = {}) {
    this.#chance = chanceOf(`${seed}`);
  }

  /** How many answers the system has given. */
  get answered(): number {
    return this.#answered;
  }

  [Symbol.dispose](): void {
    this.time[Symbol.dispose]();
  }

  /** From 0 to 1; the same however much has been decided before what happens now. */
  random(): number {
    return this.#chance();
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
  pickKind<T>(from: readonly T[], nameOf: (each: T) => string): T {
    const { seed } = this;
    const seen = new Map<string, number>();
    const kinds = from.map((kind) => {
      const operation = nameOf(kind);
      const count = seen.get(operation) ?? 0;
      seen.set(operation, count + 1);
      return { kind, operation, name: `${operation} ${count}` };
    });
    const known = kinds.filter(({ operation }) => this.isGiven(operation));
    const isWhole = known.length > 0 || chanceOf(`${seed} has all`)() < 0.5;
    const some = isWhole ? [] : kinds.filter(({ name }) => chanceOf(`${seed} has ${name}`)() < 0.5);
    const time = this.random();
    const one = [known, some, kinds].find((each) => each.length > 0)!;
    return highest(one, ({ name }) => `${time} ${name}`).kind;
  }

  /** Whether that is one of the few operations that callers choose from. */
  isGiven(operation: string): boolean {
    return this.chances.operations?.includes(operation) ?? false;
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
    const all = [...this.#comingChoices(choices), ...this.#answers()];
    const latest = Math.min(...this.#pending.map(({ askedMs }) => askedMs)) + LONGEST_ANSWER_MS;
    if (this.time.next !== undefined && this.time.next <= latest) {
      const passes = { what: "time passes", weight: 0.5, run: () => this.time.advance() };
      all.push(...this.#comingChoices([passes]));
    }
    if (all.length === 0) return false;
    const chosen = all.reduce((one, other) => other.coming.at < one.coming.at ? other : one);
    this.history.push(`${this.time.now.toFixed(1)} ${chosen.what}`);
    this.#raced = chosen.coming.at;
    this.#chance = chosen.coming.chance;
    this.steps++;
    chosen.run();
    await settle();
    return true;
  }

  /** What has come, or could have come while it was no choice, comes anew. */
  #comingChoices(choices: readonly Choice[]) {
    return choices.filter(({ weight }) => weight > 0).map(({ what, weight, run }) => {
      const known = this.#choices.get(what);
      const coming = known && known.at > this.#raced ? known : this.#plan(what, weight);
      this.#choices.set(what, coming);
      return { what, run, coming };
    });
  }

  #answers() {
    const seen = new Set<string>();
    return this.#pending.flatMap((pending) => {
      const { what, order } = pending;
      if (order !== undefined && seen.has(order)) return [];
      if (order !== undefined) seen.add(order);
      const run = () => {
        this.#pending.splice(this.#pending.indexOf(pending), 1);
        const isChosen = ++this.#answered === this.chances.nth;
        const fails = this.random() < (this.chances.share ?? 0);
        if (!isChosen && !fails) return pending.complete();
        this.history.push(`  ${what} fails`);
        pending.fail(new ServiceError("unavailable", "The display went away; try again"));
      };
      return [{ what: `${what} is answered`, run, coming: pending.coming ??= this.#plan(what, 1) }];
    });
  }

  /**
   * Each comes after a time of its own, which is as likely as if one were drawn by weight at each step: what else is
   * planned moves it by nothing.
   */
  #plan(what: string, weight: number): Coming {
    const count = this.#planned.get(what) ?? 0;
    this.#planned.set(what, count + 1);
    const chance = chanceOf(`${this.seed} ${what} ${count}`);
    return { at: this.#raced - Math.log(1 - chance()) / weight, chance };
  }
}
