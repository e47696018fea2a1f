/** Looks for seeds that fail: one after the other, in each world, with and without failures of the system. */

import { CALLS, FAILURES, type NamedScenario, SIMULATIONS } from "./simulations.ts";

export interface SeedSearch {
  readonly worlds: readonly NamedScenario["world"][];
  /** The first one. */
  readonly seed: number;
  /** No seed begins later; no limit when absent, so that the same seeds are tried on every computer. */
  readonly minutes?: number;
  /** How many are tried at most; no limit when absent. */
  readonly seeds?: number;
  /** Whether the first that fails is the last. */
  readonly endsAtFirst: boolean;
  /** Called for each that fails, with the fewest callers, and with what has happened last. */
  onFailure(scenario: NamedScenario, failure: string): void;
}

/** One that the clock gives, in seconds: each seed takes all worlds longer, so that a later search tries others. */
export function newSeed(): number {
  return Math.floor(Date.now() / 1_000) % 3_000_000;
}

/** Gives the last seed. */
export async function searchSeeds(search: SeedSearch): Promise<number> {
  const { minutes = Infinity, seeds = Infinity } = search;
  const endAt = performance.now() + minutes * 60_000;
  let seed = search.seed;
  let isEnough = false;
  for (; seed < search.seed + seeds && performance.now() < endAt && !isEnough; seed++) {
    for (const world of search.worlds) {
      for (const failures of FAILURES) {
        if (isEnough) continue;
        const scenario = { world, seed, calls: CALLS, failures };
        const failure = await failureOf(scenario);
        if (failure === undefined) continue;
        const smaller = await shrink(scenario);
        search.onFailure(smaller?.scenario ?? scenario, smaller?.failure ?? failure);
        isEnough = search.endsAtFirst;
      }
    }
  }
  return seed - 1;
}

/** What tries a seed again, and says what happens there. */
export function replayCommand({ world, seed }: NamedScenario): string {
  return `deno task simulate --world ${world} --seed ${seed} --seeds 1`;
}

async function failureOf(scenario: NamedScenario): Promise<string | undefined> {
  try {
    await SIMULATIONS[scenario.world](scenario);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The fewest callers with which the seed fails, and how; `undefined` where it does not with fewer. */
async function shrink(scenario: NamedScenario) {
  for (let calls = 1; calls < scenario.calls; calls++) {
    const smaller = { ...scenario, calls };
    const failure = await failureOf(smaller);
    if (failure !== undefined) return { scenario: smaller, failure };
  }
  return undefined;
}
