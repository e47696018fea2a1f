/** ChangeLog: what changed since when, and what is forgotten. */

import { expect } from "expect";
import { boxAround } from "../../../src/imaging/boxes.ts";
import { ChangeLog } from "../../../src/platform/comparing/compared_changes.ts";

const area = (x: number) => ({ x, y: 2 * x, width: 3, height: 4 });

Deno.test("ChangeLog gives the areas after a number, and nothing when there are none", () => {
  const log = new ChangeLog();
  expect(log.since(0)).toEqual([]);
  log.add([area(1)]);
  log.add([area(2), area(3)]);
  expect(log.count).toBe(2);
  expect(log.since(0)).toEqual([area(1), area(2), area(3)]);
  expect(log.since(1)).toEqual([area(2), area(3)]);
  expect(log.since(2)).toEqual([]);
});

Deno.test("ChangeLog forgets old changes and says so", () => {
  const log = new ChangeLog();
  for (let i = 0; i < 2_000; i++) log.add([area(i)]);
  expect(log.since(0)).toBe(undefined);
  expect(log.since(1_999)).toEqual([area(1_999)]);
});

Deno.test("ChangeLog keeps a change of many areas as the box around them", () => {
  const log = new ChangeLog();
  log.add(Array.from({ length: 100 }, (_, i) => area(i)));
  expect(log.since(0)).toEqual([{ x: 0, y: 0, width: 102, height: 202 }]);
  expect(boxAround([area(5)])).toEqual(area(5));
});
