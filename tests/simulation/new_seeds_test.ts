/**
 * The service in worlds that nobody has tried before: each commit has seeds of its own, so that what fails does so
 * again on the same commit.
 */

import { replayCommand, searchSeeds } from "./search_seeds.ts";
import { WORLDS } from "./simulations.ts";

/** Of all worlds together, in their own time: about two minutes of one core that does nothing else. */
const HOURS = 72;
const DAY_MS = 24 * 3_600_000;

Deno.test(`${HOURS} simulated hours of new seeds find nothing`, async () => {
  const seed = await seedOfCommit() ?? Math.floor(Date.now() / DAY_MS);
  console.log(`Seeds from ${seed} on, of the worlds ${WORLDS.join(", ")}`);
  const failures: string[] = [];
  const { last, pace } = await searchSeeds({
    worlds: WORLDS,
    seed,
    hours: HOURS,
    endsAtFirst: false,
    onFailure(scenario, failure) {
      failures.push(`${failure}\n${JSON.stringify(scenario)}: ${replayCommand(scenario)}`);
    },
  });
  console.log(`To ${last}: ${pace}`);
  if (failures.length > 0) throw new Error(failures.join("\n\n"));
});

/** `undefined` in a copy without its history. */
async function seedOfCommit(): Promise<number | undefined> {
  try {
    const { stdout } = await new Deno.Command("git", {
      args: ["rev-parse", "--short=7", "HEAD"],
      stderr: "null",
    }).output();
    return parseInt(new TextDecoder().decode(stdout).slice(0, 7), 16) || undefined;
  } catch {
    return undefined; // no git
  }
}
