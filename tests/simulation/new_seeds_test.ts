/** The service in worlds that nobody has tried before, with seeds of the clock: a seed that fails does so again. */

import { newSeed, replayCommand, searchSeeds } from "./search_seeds.ts";
import { WORLDS } from "./simulations.ts";

/** Of all worlds together. */
const MINUTES = 3;

Deno.test(`${MINUTES} minutes of new seeds find nothing`, async () => {
  const seed = newSeed();
  const failures: string[] = [];
  const last = await searchSeeds({
    worlds: WORLDS,
    seed,
    minutes: MINUTES,
    endsAtFirst: false,
    onFailure(scenario, failure) {
      failures.push(`${failure}\n${JSON.stringify(scenario)}: ${replayCommand(scenario)}`);
    },
  });
  console.log(`Seeds ${seed} to ${last} of the worlds ${WORLDS.join(", ")}`);
  if (failures.length > 0) throw new Error(failures.join("\n\n"));
});
