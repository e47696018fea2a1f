/** Long work lets others have their turn after some milliseconds, and costs nothing before. */

import { expect } from "expect";
import { EventLoopYielder } from "../../src/core/event_loop_yielder.ts";

Deno.test("turns lets a timer fire between steps that take long together, and only then", async () => {
  let fired = 0;
  const timer = setInterval(() => fired++);
  const turns = new EventLoopYielder();
  await turns.yieldIfDue();
  expect(fired).toBe(0);
  for (let step = 0; step < 3; step++) {
    for (const end = performance.now() + 10; performance.now() < end;);
    await turns.yieldIfDue();
  }
  clearInterval(timer);
  expect(fired).toBeGreaterThanOrEqual(2);
});
