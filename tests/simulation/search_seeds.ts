/** Looks for seeds that fail: one after the other, in each world, with and without failures of the system. */

import { CALLS, FAILURES, type NamedScenario, SIMULATIONS } from "./simulations.ts";

export interface SeedSearch {
  readonly worlds: readonly NamedScenario["world"][];
  /** The first one. */
  readonly seed: number;
  /** No seed begins later. */
  readonly minutes: number;
  /** Whether the first that fails is the last. */
  readonly endsAtFirst: boolean;
  /** Called for each that fails, with the fewest callers, and with what has happened last. */
  onFailure(scenario: NamedScenario, failure: string): void;
}

/** One that the clock gives. */
export function newSeed(): number {
  return Date.now() % 1_000_000;
}

/** Gives the last seed. */
export async function searchSeeds(search: SeedSearch): Promise<number> {
  const endAt = performance.now() + search.minutes * 60_000;
  let seed = search.seed;
  let isEnough = false;
  for (; performance.now() < endAt && !isEnough; seed++) {
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
