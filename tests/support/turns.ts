/** Proves that work lets other requests through, however fast or busy the computer is. */

import { expect } from "expect";
import { MAX_STALL_MS, slowness, threadTimes } from "./watchdog.ts";

/**
 * Runs `work`, and fails when a turn of the loop of this thread computes longer meanwhile than the
 * watchdog allows. Processor time counts: a computer that is busy with others stops every thread.
 */
export async function holdingUpNobody<T>(work: () => Promise<T>): Promise<T> {
  let [over, longestMs] = [false, 0];
  let before = threadTimes().cpuMs;
  const working = work().finally(() => over = true);
  working.catch(() => {}); // thrown below
  while (!over) {
    await new Promise((resolve) => setTimeout(resolve));
    const turnMs = threadTimes().cpuMs - before;
    longestMs = Math.max(longestMs, turnMs < MAX_STALL_MS ? turnMs : turnMs / slowness());
    before = threadTimes().cpuMs;
  }
  const result = await working;
  expect(longestMs).toBeLessThan(MAX_STALL_MS);
  return result;
}
