/** A clipboard with many readers and writers, and owners that do not answer: see `clipboard_world.ts`. */

import { simulateClipboard } from "./clipboard_world.ts";

for (const failures of [0, 0.05]) {
  for (let seed = 1; seed <= 10; seed++) {
    const scenario = { seed, calls: 60, failures };
    Deno.test(`a clipboard of many callers, ${JSON.stringify(scenario)}`, async () => {
      await simulateClipboard(scenario);
    });
  }
}
