/** Lets commands give way to the service, the desktop and whatever else runs; alone they lose nothing. */

import { getPriority, setPriority } from "node:os";

export interface Priority extends Disposable {
  /** Lowers a process that was just started, and with it all that it will start. */
  lower(pid: number): void;
  /** It has ended. */
  forget(pid: number): void;
}

/** The lowest priority there is. */
const LOWEST = 19;

/** By `nice`, from 0 to 19, below the service's own; it counts within a group of the scheduler. */
export class NicePriority implements Priority {
  constructor(private readonly nice: number) {}

  lower(pid: number): void {
    if (this.nice === 0) return;
    try {
      setPriority(pid, Math.min(getPriority() + this.nice, LOWEST));
    } catch {
      // it has ended, or the system forbids it: then it runs as the service does
    }
  }

  forget(): void {}

  [Symbol.dispose](): void {}
}
