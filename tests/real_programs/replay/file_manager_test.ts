/** What was done to files in Thunar is done again where that looks different. */

import { pick } from "../../support/extent.ts";
import { createFolder, fileManager, remove, rename } from "./support/file_manager.ts";
import { OTHER_LOOKS } from "./support/looks.ts";
import { expectAllReplayed } from "./support/replayed.ts";
import type { Scenario } from "./support/scenarios.ts";

const SCENARIOS: readonly Scenario[] = [
  fileManager(rename("may.txt", "mai.txt"), remove("april.txt")),
  ...pick<readonly Scenario[]>({
    short: [],
    full: [
      fileManager(createFolder("Übersicht"), rename("june.txt", "juin 2.txt")),
      // from the end: GTK takes two quick clicks at one place of a list for a double click,
      // even when a button of a dialog was clicked in between
      fileManager(remove("may.txt"), remove("june.txt")),
      fileManager(rename("letters", "mail")),
    ],
  }),
];

const LOOKS = pick({ short: OTHER_LOOKS.slice(1, 2), full: OTHER_LOOKS });

Deno.test("recorded runs in a file manager have the same result where it looks different", (t) =>
  expectAllReplayed(t, SCENARIOS, LOOKS));
