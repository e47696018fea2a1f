/** The table of the local tasks is complete, and says what the judge needs. */

import { expect } from "expect";
import { describeLocal } from "../report.ts";
import { LOCAL_FAMILIES } from "./local_task.ts";
import { LOCAL_TASKS } from "./local_tasks.ts";

Deno.test("each local task has a name and an id of OSWorld of its own", () => {
  const names = LOCAL_TASKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const ids = LOCAL_TASKS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[0-9a-f]{8}$/.test(id))).toEqual([]);
  const wrong = LOCAL_TASKS.filter(({ name, family }) =>
    !new RegExp(`^${family}-[a-z-]+$`).test(name)
  );
  expect(wrong).toEqual([]);
  const counts = LOCAL_FAMILIES.map((family) =>
    LOCAL_TASKS.filter((task) => task.family === family).length
  );
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(names.length).toBeGreaterThanOrEqual(20);
});

Deno.test("a program that is ended is one that is opened", () => {
  const wrong = LOCAL_TASKS.filter(({ isEnded, app }) => isEnded && app === undefined);
  expect(wrong).toEqual([]);
});

Deno.test("the report of the local tasks counts by task and hand, and lists what is wrong", () => {
  const right = { name: "system-rename", family: "system", score: 1 } as const;
  const left = { ...right, score: 0 };
  const run = { date: "2026-11-28", tested: "desktop-env 1.0.2, twice each" };
  const section = describeLocal(
    new Map([
      ["written", { ...run, all: [right] }],
      ["idle", { ...run, all: [left] }],
      ["solver", { ...run, date: "2026-11-29", all: [right, { ...left, reason: "Judged 0" }] }],
    ]),
  );
  expect(section).toMatch(/^## OSWorld's local tasks\n\n1 tasks /);
  expect(section).toContain(
    "2026-11-28: desktop-env 1.0.2, twice each; 2026-11-29: desktop-env 1.0.2, twice each.",
  );
  expect(section).toContain("| system-rename | 1 of 1 | 0 of 1 | 1 of 2 |");
  expect(section).toContain("| system-rename | `solver` | 0 | Judged 0 |");
});
