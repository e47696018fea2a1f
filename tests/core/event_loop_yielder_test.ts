/** Long work lets others have their turn after some milliseconds, and costs nothing before. */

import { expect } from "expect";
import { EventLoopYielder, nextTurn } from "../../src/core/event_loop_yielder.ts";
import { VirtualTime } from "../simulation/virtual_time.ts";

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

Deno.test("many that work at once go on one after the other, with turns for others in between", async () => {
  let steps = 0;
  const between: number[] = [];
  const timer = setInterval(() => {
    between.push(steps);
    steps = 0;
  });
  const works = Array.from({ length: 8 }, async () => {
    const yielder = new EventLoopYielder();
    for (let step = 0; step < 3; step++) {
      for (const end = performance.now() + 6; performance.now() < end;);
      await yielder.yieldIfDue();
      steps++;
    }
  });
  await Promise.all(works);
  clearInterval(timer);
  expect(Math.max(...between)).toBeLessThanOrEqual(2);
});

Deno.test("who waits where virtual time ends goes on, and holds up nobody after it", async () => {
  const time = new VirtualTime();
  const first = nextTurn();
  const second = nextTurn();
  time[Symbol.dispose]();
  await Promise.all([first, second, nextTurn()]);
});
