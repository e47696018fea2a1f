/** The longest work on the main thread while something is done. */

import { threadTimes } from "../tests/support/watchdog.ts";

const TICK_MS = 5;

/** What the thread was kept from its timers by its own work, not by other programs; in milliseconds. */
export async function longestWork(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = { at: performance.now(), ...threadTimes() };
  const look = () => {
    const now = { at: performance.now(), ...threadTimes() };
    const queuedMs = (now.queuedMs ?? 0) - (before.queuedMs ?? 0);
    const keptMs = Math.min(now.at - before.at - TICK_MS - queuedMs, now.cpuMs - before.cpuMs);
    longest = Math.max(longest, keptMs);
    before = now;
  };
  const timer = setInterval(look, TICK_MS);
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 2 * TICK_MS)); // what it has done last counts
  } finally {
    clearInterval(timer);
  }
  return longest;
}
