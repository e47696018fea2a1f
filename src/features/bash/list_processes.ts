/** Lists the processes that the service knows. */

import type { Context } from "../context.ts";
import type { ManagedProcess } from "./managed_process.ts";
import { describeRedaction } from "./redaction.ts";
import { withoutMarks } from "./shell_marks.ts";

/**
 * The most output listed per process, and for all together, shared in equal parts. The operation
 * for one process returns all of its output.
 */
export const LISTED_OUTPUT_BYTES = 16 * 1024;
export const LISTED_TOTAL_BYTES = 1024 * 1024;
/** Per command, in UTF-16 code units; a command may be a script of 128 KiB. */
export const LISTED_COMMAND_LENGTH = 1_024;

export function listManagedProcesses(
  { session }: Context,
  { all }: { readonly all: boolean },
) {
  const { shell } = session;
  const listed = [...(all ? shell.ended() : []), ...shell.running()];
  const share = Math.floor(LISTED_TOTAL_BYTES / Math.max(1, listed.length));
  const outputBytes = Math.min(LISTED_OUTPUT_BYTES, share);
  return listed.map((process) => describe(process, outputBytes));
}

function describe(process: ManagedProcess, outputBytes: number) {
  const { pid, command, status, startedAt, output, exitCode } = process;
  const { text, truncated } = output.readEnd(outputBytes);
  return {
    pid,
    command: shorten(command),
    status,
    output: withoutMarks(process, text),
    started_at: startedAt.toISOString(),
    exit_code: status === "completed" ? exitCode ?? null : null,
    output_bytes: output.total,
    truncated,
    ...describeRedaction(process),
  };
}

/** The start of the command, without half a character at its end. */
function shorten(command: string): string {
  if (command.length <= LISTED_COMMAND_LENGTH) return command;
  return `${command.slice(0, LISTED_COMMAND_LENGTH - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
