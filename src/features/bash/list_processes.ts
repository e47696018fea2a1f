/** The processes that the service knows. */

import type { Context } from "../operation.ts";
import type { ManagedProcess } from "./managed_process.ts";
import { redactionOf } from "./redaction.ts";

/** Of each process; the whole of it is told by its own operation. */
export const LISTED_OUTPUT_BYTES = 16 * 1024;

export function listManagedProcesses(
  { session }: Context,
  { all }: { readonly all: boolean },
) {
  const { shell } = session;
  return [...(all ? shell.ended() : []), ...shell.running()].map(describe);
}

function describe(process: ManagedProcess) {
  const { pid, command, status, startedAt, output, exitCode } = process;
  const { text, truncated } = output.readEnd(LISTED_OUTPUT_BYTES);
  return {
    pid,
    command,
    status,
    output: text,
    started_at: startedAt.toISOString(),
    exit_code: status === "completed" ? exitCode ?? null : null,
    output_bytes: output.total,
    truncated,
    ...redactionOf(process),
  };
}
