/**
 * Ends what wine does not end: a program that exits has its other threads ended first, now and then one that holds a
 * lock inside wine 8.0, for which the last thread then waits for ever. Its exit code is told already by then.
 */

import { runningIn } from "./running.ts";

export const STUCK_SIGNAL = "SIGKILL";

/** Deno's first thread, and so its process, is called so. It has many more as long as it runs. */
const DENO = "main";
const LOOK_MS = 1_000;
/** Looks, one after the other, that find one thread only: a program that starts has one for a moment. */
const LOOKS = 10;

/** Looks after all that runs in the prefix, until it is disposed. */
export function endStuck(prefix: string): Disposable {
  let alone = new Map<number, number>();
  const timer = setInterval(() => {
    const pids = runningIn(prefix, DENO).filter((pid) => countThreads(pid) === 1);
    alone = new Map(pids.map((pid) => [pid, (alone.get(pid) ?? 0) + 1]));
    for (const [pid, looks] of alone) {
      if (looks < LOOKS) continue;
      console.log(`wine did not end process ${pid}, whose other threads have ended: it is killed`);
      Deno.kill(pid, STUCK_SIGNAL);
    }
  }, LOOK_MS);
  Deno.unrefTimer(timer);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function countThreads(pid: number): number {
  try {
    return [...Deno.readDirSync(`/proc/${pid}/task`)].length;
  } catch {
    return 0; // it has ended
  }
}
