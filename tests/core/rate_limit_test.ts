/** Bounds by time: so often a second, and more at once after a rest. */

import { expect } from "expect";
import { RateLimit } from "../../src/core/locks.ts";
import { VirtualTime } from "../simulation/virtual_time.ts";

Deno.test("a rate limit permits a burst, then so much a second, and saves up no more than a burst", () => {
  using time = new VirtualTime();
  const pass = (ms: number) => {
    setTimeout(() => {}, ms);
    time.advance();
  };
  const limit = new RateLimit(10, 3);
  const takes = (count: number) => Array.from({ length: count }, () => limit.take());
  expect(takes(4)).toEqual([true, true, true, false]);
  pass(99);
  expect(takes(1)).toEqual([false]);
  pass(2);
  expect(takes(2)).toEqual([true, false]);
  pass(60_000);
  expect(takes(4)).toEqual([true, true, true, false]);
});
