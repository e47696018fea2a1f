/** `deno task fuzz [--requests 20000] [--seed 1] [--only mouse]`: prints the seed and every wrong answer. */

import { parseArgs } from "node:util";
import { jailProblem, startJail } from "./jail.ts";
import { fuzz } from "./run.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string" },
    only: { type: "string", default: "" },
  },
});
const problem = jailProblem();
if (problem !== undefined) {
  console.error(`Cannot fuzz: ${problem}`);
  Deno.exit(2);
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
console.log(`Seed ${seed}`);
const startedAt = performance.now();
await using jail = await startJail();
const result = await fuzz(jail, { seed, requests: Number(values.requests), only: values.only });
for (const fault of result.faults) console.log(fault);
const statuses = [...result.statuses].sort().map(([status, count]) => `${status}: ${count}`);
console.log(`Answers ${statuses.join(", ")}`);
console.log(`Memory ${result.memoryMiB} MiB`);
console.log(`${Math.round((performance.now() - startedAt) / 1000)} s`);
Deno.exitCode = result.faults.length === 0 ? 0 : 1;
