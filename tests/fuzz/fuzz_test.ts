/** Random requests for every operation, to a service that can do no harm: no wrong answer, nothing left. */

import { pick } from "../support/extent.ts";
import { unless } from "../support/test_if.ts";
import { jailProblem, startJail } from "./jail.ts";
import { fuzz } from "./run.ts";

const requests = pick({ short: 600, full: 10_000 });
const problem = jailProblem();

Deno.test({
  name: `every answer to ${requests} random requests is as openapi.json says`,
  ignore: unless(problem === undefined, problem ?? ""),
  async fn() {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const faults = await faultsOf(seed);
    // as an error, because the errors come last in the output of all tests
    if (faults.length > 0) throw new Error(told(faults, seed));
  },
});

/** The wrong answers, and what ended the whole. */
async function faultsOf(seed: number): Promise<readonly string[]> {
  try {
    await using jail = await startJail();
    return (await fuzz(jail, { seed, requests })).faults;
  } catch (error) {
    return [String((error as Error).stack)];
  }
}

function told(faults: readonly string[], seed: number): string {
  const again = `deno task fuzz --requests ${requests} --seed ${seed}`;
  return [...faults, `${faults.length} faults with seed ${seed}: ${again}`].join("\n");
}
