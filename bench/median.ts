/** The middle of several times, which a noisy moment does not move. */

import { percentile } from "./raw_client.ts";

/** How long `work` takes, in milliseconds. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The median of `count` runs in milliseconds, after some that warm up. */
export async function median(run: () => Promise<unknown>, count: number): Promise<number> {
  for (let i = 0; i < count / 4; i++) await run();
  const times: number[] = [];
  for (let i = 0; i < count; i++) times.push(await time(run));
  return percentile(times, 50);
}
