/** Waits until a process has ended, or until one of a name runs, or none does. */

import { pause, unlessAborted } from "../../core/deadline.ts";
import { requirePort } from "../../platform/open_port.ts";
import type { Context } from "../context.ts";
import type { ProcessCondition } from "./conditions.ts";

/** Interval between looks at one process, in milliseconds. */
const LOOK_MS = 25;
/** The same at all processes. */
const LOOK_AT_ALL_MS = 100;
/** A look is followed by a rest of this many times its length, so that it takes a tenth of a core. */
const REST = 9;
/** The longest rest, in milliseconds: a look that was slow once does not hide what comes next. */
const MAX_REST_MS = 1_000;

interface Found {
  readonly status: "found" | "gone" | "ended";
  readonly pid?: number;
}

interface ProcessWait {
  readonly gone: boolean;
  readonly signal: AbortSignal;
}

/** @throws ServiceError `unsupported` where processes cannot be followed */
export async function waitForProcess(
  context: Pick<Context, "platform" | "signal">,
  condition: ProcessCondition,
  { gone, signal }: ProcessWait,
): Promise<Found> {
  if ("name" in condition) return await waitForName(context, condition.name, { gone, signal });
  await waitForEnd(context, condition.pid, signal);
  return { status: gone ? "gone" : "ended" };
}

/** Resolves at once when no process has this id, and when the one that has it now has ended. */
async function waitForEnd(
  { platform: { processTable } }: Pick<Context, "platform">,
  pid: number,
  signal: AbortSignal,
): Promise<void> {
  using followed = requirePort(processTable).follow(pid);
  while (followed?.isAlive()) await pause(LOOK_MS, signal);
}

async function waitForName(
  { platform: { processTable }, signal: client }: Pick<Context, "platform" | "signal">,
  name: string,
  { gone, signal }: ProcessWait,
): Promise<Found> {
  const table = requirePort(processTable);
  // the first look has its time even where none is to be waited
  for (let until = client;; until = signal) {
    const start = performance.now();
    const pid = await unlessAborted(table.find(name), until);
    if (gone && pid === undefined) return { status: "gone" };
    if (!gone && pid !== undefined) return { status: "found", pid };
    await pause(restAfter(performance.now() - start), signal);
  }
}

/** In milliseconds, like the length of the look before. */
export function restAfter(lookMs: number): number {
  return Math.min(MAX_REST_MS, Math.max(LOOK_AT_ALL_MS, REST * lookMs));
}
