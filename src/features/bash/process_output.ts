/** Returns the output of a process from any offset, immediately or as soon as there is more. */

import { ServiceError } from "../../core/errors.ts";
import type { Context } from "../context.ts";
import type { ManagedProcess } from "./managed_process.ts";
import { describeRedaction } from "./redaction.ts";
import { withoutMarks } from "./shell_marks.ts";
import { within } from "../../core/deadline.ts";

export interface OutputQuery {
  readonly pid: number;
  /** In bytes of the whole output. */
  readonly offset?: number | undefined;
  readonly wait_ms: number;
}

export async function getProcessOutput(context: Context, { pid, offset, wait_ms }: OutputQuery) {
  const process = context.session.shell.find(pid);
  if (wait_ms > 0) {
    const seen = offset ?? process.output.readableEnd;
    await waitForMore(process, seen, { ms: wait_ms, signal: context.signal });
  }
  const reading = process.output.readInTurns(offset ?? 0);
  const completed = process.status === "completed"; // captured now, before decoding takes time
  const state = {
    process_id: pid,
    status: completed ? "completed" as const : "background" as const,
    exit_code: completed ? process.exitCode ?? null : null,
    ...describeRedaction(process),
  };
  const { text, nextOffset, truncated } = await reading;
  return { output: withoutMarks(process, text), ...state, truncated, next_offset: nextOffset };
}

/**
 * Waits until there is output after `seen` or the process has ended, for at most `ms` milliseconds.
 */
async function waitForMore(
  process: ManagedProcess,
  seen: number,
  { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
): Promise<void> {
  const deadline = performance.now() + ms;
  while (process.status === "running" && process.output.readableEnd <= seen) {
    const changed = await within(process.change, deadline - performance.now(), signal);
    if (signal.aborted) throw new ServiceError("conflict", "The client went away");
    if (!changed) return;
  }
}
