/**
 * The tasks of strangers that belong to today, as `deno task strangers` runs them all: whoever has a failure of a day repeats
 * it with `--first` and the number of the day.
 */

import { expect } from "expect";
import { isOnPath, unless } from "../support/test_if.ts";
import { DESKS } from "./miniwob/desks.ts";
import { serveTasks } from "./miniwob/pages.ts";
import { runEpisode } from "./miniwob/run.ts";
import { startJudge } from "./osworld/judge.ts";
import { missingPrograms } from "./osworld/local_programs.ts";
import { runLocalTask } from "./osworld/local_run.ts";
import { LOCAL_TASKS } from "./osworld/local_tasks.ts";
import { pythonEnv } from "./osworld/packages.ts";
import { isWrong } from "./osworld/run.ts";
import { dayOf, LEFT_OUT, partOf } from "./part.ts";

const DAY = dayOf(new Date());
/** How many tasks a day has. */
const PAGES = 10;
const LOCAL = 3;

const noPages = await reasonOf(async () => await (await serveTasks())[Symbol.asyncDispose]());
const noJudge = await reasonOf(async () => void await pythonEnv());
const needed: Readonly<Record<string, string | undefined>> = {
  browser: missing("Xvfb", "chromium"),
};

for (const kind of ["browser"] as const) {
  const reason = needed[kind] ?? noPages;
  const ignore = unless(reason === undefined, reason ?? "");
  Deno.test({ name: `day ${DAY}: pages of MiniWoB++ by ${kind}`, ignore }, async (test) => {
    await using pages = await serveTasks();
    await using desk = await DESKS[kind](pages.lobby);
    const { hand } = desk;
    await pages.shown();
    const names = partOf(pages.names.filter((name) => !(name in LEFT_OUT)), PAGES, DAY);
    for (const name of names) {
      await test.step(name, async () => {
        const score = await runEpisode({ pages, hand, name, seed: DAY });
        expect({ reason: "", ...score, reward: score.reward > 0 })
          .toEqual({ name, seed: DAY, reward: true, reason: "" });
      });
    }
  });
}

const local = missing("Xvfb", "openbox", "chromium", ...missingPrograms()) ?? noJudge;
Deno.test({
  name: `day ${DAY}: tasks of OSWorld`,
  ignore: unless(local === undefined, local ?? ""),
}, async (test) => {
  await using judge = await startJudge();
  for (const task of partOf(LOCAL_TASKS.filter(({ name }) => !(name in LEFT_OUT)), LOCAL, DAY)) {
    for (const hand of ["idle", "solver"] as const) {
      await test.step(`${task.name}: ${hand}`, async () => {
        const score = (await runLocalTask(task, hand, judge))!;
        expect(isWrong(hand, score) ? score : undefined).toBeUndefined();
      });
    }
  }
});

/** Why it cannot be done here. */
async function reasonOf(what: () => Promise<void>): Promise<string | undefined> {
  return await what().then(() => undefined, (error) => String(error));
}

function missing(...programs: readonly string[]): string | undefined {
  const absent = programs.filter((program) => !isOnPath(program));
  return absent.length === 0
    ? undefined
    : `needs ${absent.join(", ")} (deno task setup --for strangers)`;
}
