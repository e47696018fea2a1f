/** What was done in dialogs of GTK is done again where they look different, or not at all. */

import { expect } from "expect";
import { pick } from "../../support/extent.ts";
import { testFolder } from "../../support/folder.ts";
import { openElementDesktop } from "../elements/support/element_desktop.ts";
import { OTHER_LOOKS, PLAIN } from "./support/looks.ts";
import { expectAllReplayed, record, replay } from "./support/replayed.ts";
import {
  fileChooser,
  orderForm,
  question,
  saveDialog,
  type Scenario,
  table,
} from "./support/scenarios.ts";

const SCENARIOS: readonly Scenario[] = [
  orderForm({ name: "Zoë Müller", street: "Høyblokka 3", size: "large" }),
  question("Delete the report?", "No"),
  table(["Ada", "Dave"]),
  fileChooser("reports", "may.txt"),
  saveDialog("letter.txt"),
  ...pick<readonly Scenario[]>({
    short: [],
    full: [
      orderForm({ name: "中文", street: "1 Main St.", size: "medium" }),
      orderForm({ name: "a|b", street: "~/#!", size: "small" }),
      question("Delete the report?", "Yes"),
      question("Send it now?", "Yes"),
      question("Overwrite the file?", "No"),
      question("Log out?", "Yes"),
      table(["Bob"]),
      table(["Carol"]),
      table(["Dave", "Bob", "Carol"]),
      fileChooser("letters", "june.txt"),
      fileChooser("pictures", "april.txt"),
      fileChooser("letters", "may.txt"),
      saveDialog("données.csv"),
      saveDialog("b c.txt"),
    ],
  }),
];

const LOOKS = pick({ short: OTHER_LOOKS.slice(1), full: OTHER_LOOKS });

Deno.test("recorded runs of dialogs have the same result where these look different", (t) =>
  expectAllReplayed(t, SCENARIOS, LOOKS));

Deno.test("what is not there for certain is not clicked", async (t) => {
  await using desktop = await openElementDesktop();
  const others: readonly (readonly [Scenario, Scenario, RegExp])[] = [
    [question("Delete the report?", "Yes"), question("Send it now?", "Yes"), /Send it now/],
    [table(["Carol"]), table(["Carol"], ["Ada", "1", "Bob", "2"]), /Looked for .*"Carol"/],
    [
      table(["Carol"]),
      table(["Carol"], ["Carol", "29", "Ada", "1", "Carol", "29"]),
      /2 could be it, and 1 was there/,
    ],
    [table(["Carol"]), table(["Carol"], ["Carol", "77", "Ada", "1"]), /"Carol", "77"/],
  ];
  for (const [recorded, now, why] of others) {
    await t.step(`${recorded.name} where ${why.source} is`, async () => {
      await using folder = await testFolder();
      await record(desktop, recorded, `${folder.path}/export`);
      const { code, stderr, result, inputs } = await replay(desktop, {
        scenario: now,
        look: PLAIN,
        folder: `${folder.path}/export`,
      });
      expect({ code, result, inputs, stderr }).toEqual({ code: 1, result: "", inputs: 0, stderr });
      expect(stderr).toMatch(why);
    });
  }
});
