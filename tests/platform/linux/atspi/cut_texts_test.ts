/** Texts that are cut where they enter say so: what is before the mark can be the beginning of a stored value. */

import { expect } from "expect";
import { RAW_CUT_MARK } from "../../../../src/core/texts.ts";
import { boundText } from "../../../../src/platform/element_texts.ts";
import { Budget } from "../../../../src/platform/linux/atspi/budget.ts";
import type { AtspiClient } from "../../../../src/platform/linux/atspi/client.ts";
import { fetchDetails, type Node } from "../../../../src/platform/linux/atspi/node.ts";
import { roleNumber } from "../../../../src/platform/linux/atspi/states.ts";

const ENTRY: Node = {
  ...{ bus: ":1.5", path: "/entry", name: "Notes", description: "", childCount: 0 },
  ...{ role: roleNumber("entry"), states: [0, 0], interfaces: ["org.a11y.atspi.Text"] },
};
const MAX = 20;

/** @param strict answers nothing where more is asked for than there is, as Qt does */
async function readValue(text: string, strict: boolean): Promise<string | undefined> {
  const client: Pick<AtspiClient, "call" | "get"> = {
    call(_, method, _timeoutMs, start, end) {
      if (method !== "Text.GetText") return Promise.resolve([[]]);
      const isTooMuch = strict && (end as number) > text.length;
      return Promise.resolve([isTooMuch ? "" : text.slice(start as number, end as number)]);
    },
    get: () => Promise.resolve(text.length),
  };
  const budget = new Budget(60_000, () => {});
  const options = { client: client as AtspiClient, budget, maxText: MAX };
  return (await fetchDetails(ENTRY, options)).value;
}

for (const strict of [false, true]) {
  Deno.test(`a value that is cut ends with the mark, a whole one does not (strict: ${strict})`, async () => {
    expect(await readValue("v".repeat(MAX), strict)).toBe("v".repeat(MAX));
    expect(await readValue("v".repeat(MAX + 1), strict)).toBe(
      `${"v".repeat(MAX - 2)}${RAW_CUT_MARK}`,
    );
    expect(await readValue("v".repeat(10 * MAX), strict)).toBe(
      `${"v".repeat(MAX - 2)}${RAW_CUT_MARK}`,
    );
  });
}

Deno.test("boundText() ends a name that it cuts with the mark", () => {
  expect(boundText("n".repeat(MAX), MAX)).toBe("n".repeat(MAX));
  expect(boundText("n".repeat(MAX + 1), MAX)).toBe(`${"n".repeat(MAX - 2)}${RAW_CUT_MARK}`);
  expect(boundText(`${"n".repeat(MAX - 3)}😀😀`, MAX)).toBe(
    `${"n".repeat(MAX - 3)}\ufffd${RAW_CUT_MARK}`,
  );
});
