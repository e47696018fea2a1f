/** The service in worlds of their own time, in every order that a seed makes: see `*_world.ts`. */

import { CALLS, FAILURES, type NamedScenario, SEEDS, SIMULATIONS, WORLDS } from "./simulations.ts";

const known: NamedScenario[] = JSON.parse(await Deno.readTextFile(SEEDS));
const seeds = Array.from({ length: 5 }, (_, index) => index + 1);
const scenarios = WORLDS.flatMap((world) =>
  FAILURES.flatMap((failures) => seeds.map((seed) => ({ world, seed, calls: CALLS, failures })))
);

for (const scenario of [...known, ...scenarios]) {
  Deno.test(`many callers at once, ${JSON.stringify(scenario)}`, async () => {
    await SIMULATIONS[scenario.world](scenario);
  });
}
