/**
 * Lowers the priority of whole sessions. With autogroups (sched(7)) Linux divides the processor
 * among sessions first, so the `nice` of a process has no effect beyond its own session, and each
 * command is a session.
 */

import { NicePriority, type Priority } from "../posix/priority.ts";

/** By then a short command has ended, and any other has created its session. */
const FIRST_LOOK_MS = 30;
/** The kernel accepts only one change per tenth of a second from an unprivileged process. */
const NEXT_LOOK_MS = 110;

type Outcome = "done" | "not yet" | "too often";

/** Columns of `/proc/PID/stat`, counted from the one after the process name. */
const PARENT = 1;

export class SessionPriority implements Priority {
  readonly #processes: NicePriority;
  readonly #waiting = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly nice: number) {
    this.#processes = new NicePriority(nice);
  }

  lower(pid: number): void {
    if (this.nice === 0) return;
    this.#processes.lower(pid);
    this.#waiting.add(pid);
    this.#timer ??= setTimeout(() => this.#look(), FIRST_LOOK_MS);
  }

  forget(pid: number): void {
    if (this.#waiting.delete(pid) && this.#waiting.size === 0) this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
  }

  #look(): void {
    this.#timer = undefined;
    for (const pid of this.#waiting) {
      const outcome = this.#lowerSession(pid);
      if (outcome === "too often") break;
      if (outcome === "done") this.#waiting.delete(pid);
    }
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#look(), NEXT_LOOK_MS);
  }

  #lowerSession(pid: number): Outcome {
    const file = `/proc/${pid}/autogroup`;
    try {
      if (this.#readParent(pid) !== Deno.pid) return "done"; // it has ended, and its id was reused
      if (this.#readAutogroup(pid) === this.#readAutogroup(Deno.pid)) return "not yet"; // still in our group
      Deno.writeTextFileSync(file, String(this.nice), { create: false });
      return "done";
    } catch (error) {
      return (error as { code?: string }).code === "EAGAIN" ? "too often" : "done";
    }
  }

  #readParent(pid: number): number {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[PARENT]);
  }

  /** The name of the autogroup in `/autogroup-123 nice 0`. */
  #readAutogroup(pid: number): string {
    return Deno.readTextFileSync(`/proc/${pid}/autogroup`).split(" ")[0]!;
  }
}
