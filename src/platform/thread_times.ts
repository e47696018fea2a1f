/** How long this thread has computed, and how long it has waited for a processor: what tells our own work from that of a busy computer. */

import process from "node:process";

export interface ThreadTimes {
  /** Time on a processor, in milliseconds. */
  readonly cpuMs: number;
  /** Time in which it could have gone on but had no processor; missing where the system does not tell. */
  readonly queuedMs?: number;
}

/** On Linux the first two numbers of `schedstat` (Documentation/scheduler/sched-stats.rst), in nanoseconds. */
const SCHEDSTAT = "/proc/thread-self/schedstat";

/** Reads the times of the calling thread; a call takes about 15 µs. */
export function threadTimes(os: string): ThreadTimes {
  return (os === "linux" ? readSchedstat() : undefined) ?? { cpuMs: cpuOfThread() };
}

/** @returns undefined in a kernel that keeps no such numbers. */
function readSchedstat(): ThreadTimes | undefined {
  try {
    const [cpu, queued] = Deno.readTextFileSync(SCHEDSTAT).split(" ").map(Number);
    return { cpuMs: cpu! / 1e6, queuedMs: queued! / 1e6 };
  } catch {
    return undefined;
  }
}

function cpuOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
