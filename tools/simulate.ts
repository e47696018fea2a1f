/**
 * `deno task simulate [--minutes 5] [--seeds 100] [--seed 1] [--world browser] [--first]`: simulates callers with one
 * seed after the other, in each world of `tests/simulation/` or in one, for five minutes or for so many seeds. A
 * scenario that fails is tried with fewer callers, printed with what happened last, and added to
 * `tests/simulation/seeds.json`, which the tests try first; `--first` ends at the first.
 */

import { parseArgs } from "node:util";
import { type NamedScenario, SEEDS, WORLDS } from "../tests/simulation/simulations.ts";
import { SIMULATED } from "../tests/simulation/callers.ts";
import { newSeed, searchSeeds } from "../tests/simulation/search_seeds.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    seeds: { type: "string" },
    seed: { type: "string", default: String(newSeed()) },
    world: { type: "string" },
    first: { type: "boolean", default: false },
  },
});
const began = performance.now();
const worlds = WORLDS.filter((world) => values.world === undefined || world === values.world);
if (worlds.length === 0) {
  console.error(`The worlds are ${WORLDS.join(", ")}`);
  Deno.exit(2);
}
const found: NamedScenario[] = [];
const last = await searchSeeds({
  worlds,
  seed: Number(values.seed),
  ...values.minutes || !values.seeds ? { minutes: Number(values.minutes ?? 5) } : {},
  ...values.seeds ? { seeds: Number(values.seeds) } : {},
  endsAtFirst: values.first,
  onFailure(scenario, failure) {
    console.error(failure);
    found.push(scenario);
  },
});
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
console.log(`Seeds ${values.seed} to ${last}: ${found.length} failed`);
Deno.exit(found.length === 0 ? 0 : 1);
