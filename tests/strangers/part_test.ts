/** The days take turns through all tasks. */

import { expect } from "expect";
import { dayOf, LEFT_OUT, partOf } from "./part.ts";

Deno.test("every task has its day, and no day has a task twice", () => {
  for (const length of [1, 20, 60, 128, 130]) {
    const all = Array.from({ length }, (_, at) => at);
    for (const count of [1, 3, 12, 500]) {
      const first = dayOf(new Date("2026-11-29"));
      const seen = new Set<number>();
      for (let day = first; day < first + Math.ceil(length / count); day++) {
        const part = partOf(all, count, day);
        expect(part.length).toBe(Math.min(count, length));
        expect(new Set(part).size).toBe(part.length);
        for (const task of part) seen.add(task);
      }
      expect(seen.size).toBe(length);
    }
  }
});

Deno.test("the same day has the same tasks, whatever the hour", () => {
  const [morning, evening] = [
    dayOf(new Date("2026-11-29T00:00Z")),
    dayOf(new Date("2026-11-29T23:59Z")),
  ];
  expect(morning).toBe(evening);
  expect(dayOf(new Date("2026-11-30T00:00Z"))).toBe(morning + 1);
});

Deno.test("what is left out has a reason", () => {
  for (const reason of Object.values(LEFT_OUT)) expect(reason).toMatch(/^[A-Z].{20}/);
});
