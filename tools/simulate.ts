/**
 * `deno task simulate [--minutes 5] [--seed 1] [--world browser] [--first]`: simulates callers with one seed after the
 * other, in each world of `tests/simulation/` or in one. A scenario that fails is tried with fewer callers, printed with
 * what happened last, and added to `tests/simulation/seeds.json`, which the tests try first; `--first` ends at the first.
 */

import { parseArgs } from "node:util";
import {
  CALLS,
  FAILURES,
  type NamedScenario,
  SEEDS,
  SIMULATIONS,
  WORLDS,
} from "../tests/simulation/simulations.ts";
import { SIMULATED } from "../tests/simulation/callers.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    world: { type: "string" },
    first: { type: "boolean", default: false },
  },
});
const began = performance.now();
const endAt = began + Number(values.minutes) * 60_000;
const worlds = WORLDS.filter((world) => values.world === undefined || world === values.world);
if (worlds.length === 0) {
  console.error(`The worlds are ${WORLDS.join(", ")}`);
  Deno.exit(2);
}
const found: NamedScenario[] = [];
let seed = Number(values.seed);
for (; performance.now() < endAt && !isEnough(); seed++) {
  for (const world of worlds) {
    for (const failures of FAILURES) {
      const scenario = { world, seed, calls: CALLS, failures };
      const failure = isEnough() ? undefined : await failureOf(scenario);
      if (failure === undefined) continue;
      const smaller = await shrink(scenario);
      console.error(smaller?.failure ?? failure);
      found.push(smaller?.scenario ?? scenario);
    }
  }
}
if (found.length > 0) {
  const known: NamedScenario[] = JSON.parse(await Deno.readTextFile(SEEDS));
  await Deno.writeTextFile(SEEDS, `${JSON.stringify([...known, ...found], null, 2)}\n`);
}
const minutes = (performance.now() - began) / 60_000;
const { ms, steps } = SIMULATED;
const faster = Math.round(ms / 60_000 / minutes);
console.log(
  `${steps} steps, ${(ms / 3_600_000).toFixed(1)} hours: ${faster} minutes in each minute`,
);
console.log(`Seeds ${values.seed} to ${seed - 1}: ${found.length} failed`);
Deno.exit(found.length === 0 ? 0 : 1);

function isEnough(): boolean {
  return values.first && found.length > 0;
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
