/**
 * `deno task simulate [--minutes 5] [--seed 1]`: simulates callers with one seed after the other, half of them on a
 * display that fails now and then. A seed that fails is tried with fewer callers, printed with what happened last, and
 * added to `tests/simulation/seeds.json`, which the tests try first.
 */

import { parseArgs } from "node:util";
import { simulateInput } from "../tests/simulation/input_world.ts";
import { type Scenario, SEEDS } from "../tests/simulation/world.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const endAt = performance.now() + Number(values.minutes) * 60_000;
const found: Scenario[] = [];
let seed = Number(values.seed);
for (; performance.now() < endAt; seed++) {
  for (const failures of [0, 0.05]) {
    const scenario = { seed, calls: 40, failures };
    if (await failureOf(scenario) === undefined) continue;
    const shrunk = await shrink(scenario);
    console.error(await failureOf(shrunk));
    found.push(shrunk);
  }
}
if (found.length > 0) {
  const known: Scenario[] = JSON.parse(await Deno.readTextFile(SEEDS));
  await Deno.writeTextFile(SEEDS, `${JSON.stringify([...known, ...found], null, 2)}\n`);
}
console.log(`Seeds ${values.seed} to ${seed - 1}: ${found.length} failed`);
Deno.exit(found.length === 0 ? 0 : 1);

async function failureOf(scenario: Scenario): Promise<string | undefined> {
  try {
    await simulateInput(scenario);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The fewest callers with which the seed fails. */
async function shrink(scenario: Scenario): Promise<Scenario> {
  for (let calls = 1; calls < scenario.calls; calls++) {
    const smaller = { ...scenario, calls };
    if (await failureOf(smaller) !== undefined) return smaller;
  }
  return scenario;
}
