/** The table of the office tasks is complete, and each task can be judged by what it is about. */

import { expect } from "expect";
import { withSection } from "../report.ts";
import { holding, press, write } from "./keys.ts";
import { FAMILIES } from "./office_task.ts";
import { OFFICE_TASKS } from "./office_tasks.ts";

Deno.test("there are 20 office tasks for each program, each with a name of its own", () => {
  const counts = FAMILIES.map((family) => OFFICE_TASKS.filter((task) => task.family === family));
  expect(counts.map(({ length }) => length)).toEqual([20, 20, 20]);
  const names = OFFICE_TASKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const wrong = OFFICE_TASKS.filter(({ name, family }) =>
    !new RegExp(`^${family}-[a-z-]+$`).test(name)
  );
  expect(wrong).toEqual([]);
});

Deno.test("no office task begins with what it asks for", () => {
  const done = OFFICE_TASKS.filter(({ start, expected }) =>
    JSON.stringify(start) === JSON.stringify(expected)
  );
  expect(done.map(({ name }) => name)).toEqual([]);
});

Deno.test("the scripts of the office tasks are lines that Python reads as they are", () => {
  const lines = OFFICE_TASKS.flatMap(({ script }) =>
    script.map((step) => typeof step === "string" ? step : step.line)
  );
  const other = lines.filter((line) => !/^(pyautogui|time)\.\w+\([\x20-\x7e]*\)$/.test(line));
  expect(other).toEqual([]);
});

Deno.test("keys that are held are released in the opposite order", () => {
  expect(holding(["ctrl", "shift"], "down", 2)).toEqual([
    'pyautogui.keyDown("ctrl")',
    'pyautogui.keyDown("shift")',
    'pyautogui.press("down", presses=2, interval=0.05)',
    'pyautogui.keyUp("shift")',
    'pyautogui.keyUp("ctrl")',
  ]);
  expect(holding(["shift"], "right", 0)).toEqual([]);
  expect(press("esc")).toBe('pyautogui.press("esc")');
  expect(write('say "no"\n')).toBe('pyautogui.write("say \\"no\\"\\n", interval=0.02)');
});

Deno.test("a section of the report replaces the one with its heading and leaves the others", () => {
  const page = "# Page\n\n## One\n\nold\n\n### Part\n\nold\n\n## Two\n\ntwo\n";
  expect(withSection(page, "## One\n\nnew\n")).toBe("# Page\n\n## One\n\nnew\n\n## Two\n\ntwo\n");
  expect(withSection(page, "## Two\n\nnew\n")).toBe(page.replace("two\n", "new\n"));
  expect(withSection(page, "## Three\n\nnew\n")).toBe(`${page}\n## Three\n\nnew\n`);
  expect(withSection(undefined, "## One\n\nnew\n")).toMatch(
    /^# Strangers' tasks\n[^]*\n\n## One\n/,
  );
});
