/** Lowers the priority of commands below the service and the desktop; costs nothing when idle. */

import { getPriority, setPriority } from "node:os";

export interface Priority extends Disposable {
  /** Lowers the priority of a process that was just started; its later children inherit that. */
  lower(pid: number): void;
  /** Called when the process has ended. */
  forget(pid: number): void;
}

/** The lowest priority of `nice`. */
const LOWEST = 19;

/**
 * Adds a `nice` value, from 0 to 19, to that of the service; it counts only within the same
 * scheduler group.
 */
export class NicePriority implements Priority {
  constructor(private readonly nice: number) {}

  lower(pid: number): void {
    if (this.nice === 0) return;
    try {
      setPriority(pid, Math.min(getPriority() + this.nice, LOWEST));
    } catch {
      // it has ended, or the system refuses: then it keeps the service's priority
    }
  }

  forget(): void {}

  [Symbol.dispose](): void {}
}
