/** Whether a process runs, by a signal that is never sent (kill(2) with 0). */

import process from "node:process";
import type { ProcessTable } from "../types/mod.ts";

/**
 * Whether some process has this id. Also true for one of another user, and for one that has ended
 * while its parent has not asked for its exit code.
 */
export function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

/** For systems that do not tell when a process was started: an id that is reused is not noticed. */
export function openProcessTable(): ProcessTable {
  return {
    follow: (pid) =>
      exists(pid) ? { isAlive: () => exists(pid), [Symbol.dispose]: () => {} } : undefined,
  };
}
