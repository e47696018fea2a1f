/** Input of many callers at once, in every order that a seed makes: see `input_world.ts`. */

import { simulateInput } from "./input_world.ts";

for (let seed = 1; seed <= 20; seed++) {
  Deno.test(`input of many callers, seed ${seed}`, async () => {
    await simulateInput(seed);
  });
}
