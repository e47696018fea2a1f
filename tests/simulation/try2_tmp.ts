import { SIMULATIONS, WORLDS } from "./simulations.ts";
import { SIMULATED } from "./callers.ts";
for (const world of WORLDS) {
  const t = performance.now();
  const { ms, steps } = SIMULATED;
  let bad = 0;
  for (let seed = 1; seed <= 12; seed++) {
    for (const failures of [0, .05]) {
      try {
        await SIMULATIONS[world]({ seed, calls: 40, failures });
      } catch {
        bad++;
      }
    }
  }
  const took = performance.now() - t;
  console.log(
    world,
    "bad",
    bad,
    Math.round((SIMULATED.ms - ms) / took),
    "x,",
    SIMULATED.steps - steps,
    "steps,",
    (1000 * took / (SIMULATED.steps - steps)).toFixed(0),
    "us/step",
    took.toFixed(0),
    "ms",
  );
}
