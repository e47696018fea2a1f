/** The processes of the service by number: those that run, and those that ended not too long ago. */

import type { ManagedProcess } from "./managed_process.ts";

export interface TableLimits {
  readonly maxEndedProcesses: number;
  readonly keepEndedMs: number;
  readonly maxEndedBytes: number;
}

type Timer = ReturnType<typeof setTimeout>;

export class ProcessTable {
  readonly #running = new Map<number, ManagedProcess>();
  /** The one that ended first comes first; with the timer that forgets it. */
  readonly #ended = new Map<number, { process: ManagedProcess; timer: Timer }>();

  /** Memory that the ended ones take. */
  #endedBytes = 0;

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
    this.#endedBytes += process.memoryBytes;
    if (this.#ended.size > this.limits.maxEndedProcesses) this.#forget(this.#oldest);
    this.#saveMemory();
  }

  /** Forgets all that have ended. */
  clear(): void {
    for (const pid of [...this.#ended.keys()]) this.#forget(pid);
  }

  /** The oldest lose their output first, so that how they ended is told for longer; then they are forgotten. */
  #saveMemory(): void {
    const { maxEndedBytes } = this.limits;
    for (const { process: { output } } of this.#ended.values()) {
      if (this.#endedBytes <= maxEndedBytes) return;
      this.#endedBytes -= output.memoryBytes;
      output.drop();
    }
    while (this.#endedBytes > maxEndedBytes) this.#forget(this.#oldest);
  }

  get #oldest(): number {
    const [oldest] = this.#ended.keys();
    return oldest!;
  }

  #forget(pid: number): void {
    const ended = this.#ended.get(pid);
    if (ended === undefined) return;
    clearTimeout(ended.timer);
    this.#endedBytes -= ended.process.memoryBytes;
    this.#ended.delete(pid);
  }
}
