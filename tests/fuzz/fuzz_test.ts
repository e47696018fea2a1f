/** Random requests for every operation, to a service that can do no harm: no wrong answer, nothing left. */

import { expect } from "expect";
import { inFull } from "../support/extent.ts";
import { unless } from "../support/test_if.ts";
import { jailProblem, startJail } from "./jail.ts";
import { fuzz } from "./run.ts";

const requests = inFull(20_000, 600);
const problem = jailProblem();

Deno.test({
  name: `every answer to ${requests} random requests is as openapi.json says`,
  ignore: unless(problem === undefined, problem ?? ""),
  async fn() {
    const seed = Math.floor(Math.random() * 2 ** 31);
    console.log(`Seed ${seed}`);
    await using jail = await startJail();
    const { faults } = await fuzz(jail, { seed, requests });
    expect(faults).toEqual([]);
  },
});
