/** The processes of the service by number: the running ones and those that ended recently. */

import type { ManagedProcess } from "./managed_process.ts";

export interface TableLimits {
  readonly maxEndedProcesses: number;
  readonly keepEndedMs: number;
  readonly maxEndedBytes: number;
}

type Timer = ReturnType<typeof setTimeout>;

export class ProcessTable {
  readonly #running = new Map<number, ManagedProcess>();
  /** In order of their end, oldest first; each with the timer that removes it. */
  readonly #ended = new Map<number, { process: ManagedProcess; timer: Timer }>();

  /** Memory in use by ended processes, in bytes. */
  #endedBytes = 0;

  constructor(private readonly limits: TableLimits) {}

  /** If the system reuses a number, it refers to the newest process. */
  add(process: ManagedProcess): void {
    this.#forget(process.pid);
    this.#running.set(process.pid, process);
  }

  find(pid: number): ManagedProcess | undefined {
    return this.#running.get(pid) ?? this.#ended.get(pid)?.process;
  }

  /** In order of start. */
  running(): readonly ManagedProcess[] {
    return [...this.#running.values()];
  }

  /** In order of end. */
  ended(): readonly ManagedProcess[] {
    return [...this.#ended.values()].map(({ process }) => process);
  }

  /** Records that the process has ended, and keeps it for a while if it should be remembered. */
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

  /** Forgets all ended processes. */
  clear(): void {
    for (const pid of [...this.#ended.keys()]) this.#forget(pid);
  }

  /**
   * Drops the output of the oldest processes first, so that their exit codes stay available longer;
   * then forgets the processes.
   */
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
