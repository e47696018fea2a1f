/**
 * `deno task simulate [--minutes 5] [--seeds 100] [--seed 1] [--world browser] [--operations batch,browser/click]
 * [--first]`: simulates callers with one seed after the other, in each world of `tests/simulation/` or in one, for five
 * minutes or for so many seeds. A scenario that fails is tried with fewer callers, printed with what happened last and
 * with what tries it again, and added to `tests/simulation/seeds.json`, which the tests try first; `--first` ends at the
 * first. Callers choose from all operations of a world, or from those that are given.
 */

import { parseArgs } from "node:util";
import { type NamedScenario, SEEDS, WORLDS } from "../tests/simulation/simulations.ts";
import { newSeed, replayCommand, searchSeeds } from "../tests/simulation/search_seeds.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    seeds: { type: "string" },
    seed: { type: "string", default: String(newSeed()) },
    world: { type: "string" },
    operations: { type: "string" },
    first: { type: "boolean", default: false },
  },
});
const worlds = WORLDS.filter((world) => values.world === undefined || world === values.world);
if (worlds.length === 0) {
  console.error(`The worlds are ${WORLDS.join(", ")}`);
  Deno.exit(2);
}
const found: NamedScenario[] = [];
const { last, pace } = await searchSeeds({
  worlds,
  seed: Number(values.seed),
  ...values.minutes || !values.seeds ? { minutes: Number(values.minutes ?? 5) } : {},
  ...values.seeds ? { seeds: Number(values.seeds) } : {},
  ...values.operations ? { operations: values.operations.split(",") } : {},
  endsAtFirst: values.first,
  onFailure(scenario, failure) {
    console.error(`${failure}\n${replayCommand(scenario)}`);
    found.push(scenario);
  },
});
if (found.length > 0) {
  const known: NamedScenario[] = JSON.parse(await Deno.readTextFile(SEEDS));
  await Deno.writeTextFile(SEEDS, `${JSON.stringify([...known, ...found], null, 2)}\n`);
}
console.log(pace);
console.log(`Seeds ${values.seed} to ${last}: ${found.length} failed`);
Deno.exit(found.length === 0 ? 0 : 1);
