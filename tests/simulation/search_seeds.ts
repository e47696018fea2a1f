/** Looks for seeds that fail: one after the other, in each world, with and without failures of the system. */

import { SIMULATED } from "./callers.ts";
import { CALLS, FAILURES, type NamedScenario, SIMULATIONS } from "./simulations.ts";

const HOUR_MS = 3_600_000;

export interface SeedSearch {
  readonly worlds: readonly NamedScenario["world"][];
  /** The first one. */
  readonly seed: number;
  /** No seed begins later; no limit when absent, so that the same seeds are tried on every computer. */
  readonly minutes?: number;
  /** How many are tried at most; no limit when absent. */
  readonly seeds?: number;
  /** No seed begins when those before have simulated so many hours; no limit when absent. */
  readonly hours?: number;
  /** See {@link NamedScenario}. */
  readonly operations?: NamedScenario["operations"];
  /** Whether the first that fails is the last. */
  readonly endsAtFirst: boolean;
  /** Called for each that fails, with the fewest callers, and with what has happened last. */
  onFailure(scenario: NamedScenario, failure: string): void;
}

/** One that the clock gives, in seconds: each seed takes all worlds longer, so that a later search tries others. */
export function newSeed(): number {
  return Math.floor(Date.now() / 1_000) % 3_000_000;
}

/** Gives the last seed, and in words how much was simulated. */
export async function searchSeeds(search: SeedSearch): Promise<{ last: number; pace: string }> {
  const { minutes = Infinity, seeds = Infinity, hours = Infinity, operations } = search;
  const began = performance.now();
  const before = { ...SIMULATED };
  const isOver = () =>
    performance.now() - began >= minutes * 60_000 || SIMULATED.ms - before.ms >= hours * HOUR_MS;
  let seed = search.seed;
  let isEnough = false;
  for (; seed < search.seed + seeds && !isOver() && !isEnough; seed++) {
    for (const world of search.worlds) {
      for (const failures of FAILURES) {
        if (isEnough) continue;
        const scenario = { world, seed, calls: CALLS, failures, ...operations && { operations } };
        const failure = await failureOf(scenario);
        if (failure === undefined) continue;
        const least = await shrink(scenario, failure);
        search.onFailure(least.scenario, least.failure);
        isEnough = search.endsAtFirst;
      }
    }
  }
  const ms = SIMULATED.ms - before.ms;
  const faster = Math.round(ms / (performance.now() - began));
  const steps = SIMULATED.steps - before.steps;
  const hoursDone = (ms / HOUR_MS).toFixed(1);
  const pace = `${steps} steps, ${hoursDone} hours: ${faster} minutes in each minute`;
  return { last: seed - 1, pace };
}

/** What tries a seed again, and says what happens there. */
export function replayCommand({ world, seed, operations }: NamedScenario): string {
  const command = `deno task simulate --world ${world} --seed ${seed} --seeds 1`;
  return operations ? `${command} --operations ${operations.join()}` : command;
}

async function failureOf(scenario: NamedScenario): Promise<string | undefined> {
  try {
    await SIMULATIONS[scenario.world](scenario);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * The fewest callers with which the seed fails, and how. Each does the same however many come after it, so that a half
 * of them says in which half the failure is.
 */
async function shrink(scenario: NamedScenario, failure: string) {
  let least = { scenario, failure };
  for (let fewest = 1; fewest < least.scenario.calls;) {
    const calls = Math.floor((fewest + least.scenario.calls) / 2);
    const smaller = { ...scenario, calls };
    const failure = await failureOf(smaller);
    if (failure === undefined) fewest = calls + 1;
    else least = { scenario: smaller, failure };
  }
  return least;
}
