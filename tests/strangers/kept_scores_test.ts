/** What a run of some tasks replaces of the scores of all, and when these are complete. */

import { expect } from "expect";
import { testFolder } from "../support/folder.ts";
import { keepScores, readScores } from "./kept_scores.ts";

const TASKS = ["one", "two"];

Deno.test("keepScores() replaces the scores of the tasks that were done again, and no others", async () => {
  await using folder = await testFolder();
  const keep = (
    own: readonly { readonly name: string; readonly reward: number }[],
    isWhole: boolean,
  ) => keepScores("browser", { tested: "1.0, seeds 1 to 2", own, isWhole }, folder.path);
  await keep([{ name: "two", reward: 0 }, { name: "two", reward: 1 }], true);
  expect(await readScores("browser", TASKS, folder.path)).toBeUndefined();
  await keep([{ name: "one", reward: 0.5 }], true);
  await keep([{ name: "two", reward: 0.25 }], false);
  expect(await readScores("browser", TASKS, folder.path)).toEqual({
    date: new Date().toISOString().slice(0, 10),
    tested: "1.0, seeds 1 to 2",
    all: [{ name: "one", reward: 0.5 }, { name: "two", reward: 0.25 }],
  });
});

Deno.test("keepScores() replaces scores of other seeds by a run of all tasks only", async () => {
  await using folder = await testFolder();
  const keep = (tested: string, isWhole: boolean) =>
    keepScores("browser", { tested, own: [{ name: "one" }], isWhole }, folder.path);
  await keep("seeds 1 to 10", true);
  await keep("seed 7", false);
  expect((await readScores("browser", ["one"], folder.path))?.tested).toBe("seeds 1 to 10");
  await keep("seed 7", true);
  expect((await readScores("browser", ["one"], folder.path))?.tested).toBe("seed 7");
});

Deno.test("keepScores() begins with some of the tasks: the others can have another day", async () => {
  await using folder = await testFolder();
  const keep = (name: string) =>
    keepScores("wayland", { tested: "seed 1", own: [{ name }], isWhole: false }, folder.path);
  await keep("two");
  expect(await readScores("wayland", TASKS, folder.path)).toBeUndefined();
  await keep("one");
  expect((await readScores("wayland", TASKS, folder.path))?.all).toEqual([
    { name: "one" },
    { name: "two" },
  ]);
});
