/** Edits that run at once share a bound of memory. */

import { expect } from "expect";
import { EditBudget } from "../../../src/features/editor/edit_budget.ts";
import { openFilesApp } from "../filesystem/files_app.ts";

const NEVER = new AbortController().signal;

Deno.test("EditBudget stays within its bound, in the order of arrival, also when work fails", async () => {
  const budget = new EditBudget(10);
  const order: number[] = [];
  const sizes = [4, 6, 100, 1, 9, 0, 10];
  const results = await Promise.allSettled(
    sizes.map((size, number) =>
      budget.run(size, NEVER, async () => {
        order.push(number);
        expect(budget.used).toBeLessThanOrEqual(10);
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (number === 2) throw new Error("no");
      })
    ),
  );
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(results.map(({ status }) => status).filter((status) => status === "rejected"))
    .toHaveLength(1);
  expect(budget.used).toBe(0);
});

Deno.test("edits of many files at once hold at most twice the largest file in memory", async () => {
  const maxEditBytes = 100_000;
  await using app = await openFilesApp({ limits: { maxEditBytes } });
  const { files, edits } = app.app.session;
  const names = Array.from({ length: 20 }, (_, number) => `x${number}`);
  for (const name of names) await app.put(name, "a".padEnd(90_000, "-"));
  let most = 0;
  let running = 0;
  const { writing } = files;
  files.writing = async () => { // asked for while an edit holds the bytes of its file
    most = Math.max(most, ++running);
    const what = await writing.call(files);
    await new Promise((resolve) => setTimeout(resolve, 2));
    running--;
    return what;
  };
  await Promise.all(
    names.map((path) => app.call("editor/str-replace", { path, old_str: "a", new_str: "b" })),
  );
  expect(most).toBe(2);
  expect(edits.budget.used).toBe(0);
});
