/** What was done in a sheet of Calc is done again where that looks different. */

import { pick } from "../../support/extent.ts";
import { OTHER_LOOKS } from "./support/looks.ts";
import { expectAllReplayed } from "./support/replayed.ts";
import { type Scenario, sheet } from "./support/scenarios.ts";

const SCENARIOS: readonly Scenario[] = [
  sheet({ B2: "12", A1: "é 日本", C4: "7" }),
  ...pick<readonly Scenario[]>({
    short: [],
    full: [sheet({ A3: "x", D2: "1,5" })],
  }),
];

const LOOKS = pick({ short: OTHER_LOOKS.slice(1, 2), full: OTHER_LOOKS });

Deno.test("recorded runs in a sheet have the same result where it looks different", (t) =>
  expectAllReplayed(t, SCENARIOS, LOOKS));
