/** What was done in a sheet of Calc is done again where that looks different. */

import { pick } from "../../support/extent.ts";
import { testFolder } from "../../support/folder.ts";
import { openElementDesktop } from "../elements/support/element_desktop.ts";
import { OTHER_LOOKS } from "./support/looks.ts";
import { expectMostDone, expectReplayed, record } from "./support/replayed.ts";
import { type Scenario, sheet } from "./support/scenarios.ts";

const SCENARIOS: readonly Scenario[] = [
  sheet({ B2: "12", A1: "é 日本", C4: "7" }),
  ...pick<readonly Scenario[]>({
    short: [],
    full: [sheet({ A3: "x", D2: "1,5" })],
  }),
];

const LOOKS = pick({ short: OTHER_LOOKS.slice(1, 2), full: OTHER_LOOKS });

Deno.test("recorded runs in a sheet have the same result where it looks different", async (t) => {
  await using desktop = await openElementDesktop();
  const ends: ("done" | "stopped")[] = [];
  for (const scenario of SCENARIOS) {
    await t.step(scenario.name, async () => {
      await using folder = await testFolder();
      const wanted = await record(desktop, scenario, `${folder.path}/export`);
      for (const look of LOOKS) {
        const run = { scenario, look, folder: `${folder.path}/export`, wanted };
        ends.push(await expectReplayed(desktop, run));
      }
    });
  }
  expectMostDone(ends);
});
