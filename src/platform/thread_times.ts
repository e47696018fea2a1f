/**
 * Measures how long this thread has run and how long it has waited for a processor, to distinguish
 * our own work from a busy computer.
 */

import process from "node:process";

export interface ThreadTimes {
  /** Time on a processor, in milliseconds. */
  readonly cpuMs: number;
  /**
   * Time spent runnable but waiting for a processor; missing where the system does not report it.
   */
  readonly queuedMs?: number;
}

/**
 * Linux: the first two numbers of `schedstat`, in nanoseconds
 * (Documentation/scheduler/sched-stats.rst).
 */
const SCHEDSTAT = "/proc/thread-self/schedstat";

/** Reads the times of the calling thread; a call takes about 15 µs. */
export function threadTimes(os: string): ThreadTimes {
  return (os === "linux" ? readSchedstat() : undefined) ?? { cpuMs: cpuOfThread() };
}

/** @returns undefined when the kernel does not keep these numbers. */
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
