/** The processes of the service by number: those that run, and those that ended not too long ago. */

import type { ManagedProcess } from "./managed_process.ts";

export interface TableLimits {
  readonly maxEndedProcesses: number;
  readonly keepEndedMs: number;
}

type Timer = ReturnType<typeof setTimeout>;

export class ProcessTable {
  readonly #running = new Map<number, ManagedProcess>();
  /** The one that ended first comes first; with the timer that forgets it. */
  readonly #ended = new Map<number, { process: ManagedProcess; timer: Timer }>();

  constructor(private readonly limits: TableLimits) {}

  /** A number that the system uses again means the newest process. */
  add(process: ManagedProcess): void {
    this.#forget(process.pid);
    this.#running.set(process.pid, process);
  }

  find(pid: number): ManagedProcess | undefined {
    return this.#running.get(pid) ?? this.#ended.get(pid)?.process;
  }

  /** In the order of their start. */
  running(): readonly ManagedProcess[] {
    return [...this.#running.values()];
  }

  /** In the order of their end. */
  ended(): readonly ManagedProcess[] {
    return [...this.#ended.values()].map(({ process }) => process);
  }

  /** The process has ended: it is kept for a while if it is to be remembered. */
  end(process: ManagedProcess): void {
    if (this.#running.get(process.pid) !== process) return;
    this.#running.delete(process.pid);
    if (!process.remembered) return;
    const timer = setTimeout(() => this.#forget(process.pid), this.limits.keepEndedMs);
    this.#ended.set(process.pid, { process, timer });
    if (this.#ended.size <= this.limits.maxEndedProcesses) return;
    const [oldest] = this.#ended.keys();
    this.#forget(oldest!);
  }

  /** Forgets all that have ended. */
  clear(): void {
    for (const pid of [...this.#ended.keys()]) this.#forget(pid);
  }

  #forget(pid: number): void {
    clearTimeout(this.#ended.get(pid)?.timer);
    this.#ended.delete(pid);
  }
}
