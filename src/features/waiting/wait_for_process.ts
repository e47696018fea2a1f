/** Waits until a process has ended. */

import { pause } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Context } from "../context.ts";

/** Interval between looks, in milliseconds. */
const LOOK_MS = 25;

/** Resolves at once when no process has this id, and when the one that has it now has ended. */
export async function waitForProcess(
  { platform: { processTable } }: Pick<Context, "platform">,
  { pid }: { readonly pid: number },
  signal: AbortSignal,
): Promise<void> {
  if (!processTable.ready) throw new ServiceError("unsupported", processTable.reason);
  using followed = processTable.use.follow(pid);
  while (followed?.isAlive()) await pause(LOOK_MS, signal);
}
