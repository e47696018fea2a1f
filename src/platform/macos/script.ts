/** Runs one of the scripts for `osascript -l JavaScript` that print one JSON object. */

import { ServiceError } from "../../core/errors.ts";
import { runProgram } from "./program.ts";
import type { Programs } from "./programs.ts";

export interface ScriptRun {
  readonly script: string;
  /** Visible to every user of the computer: never a text of a program or of a user. */
  readonly args: readonly string[];
  /** For its standard input; none by default. */
  readonly stdin?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** What cannot be done without an answer: `list the windows`. */
  readonly what: string;
}

/**
 * Resolves with what the script prints.
 * @throws ServiceError `unavailable`: it failed; `timed_out`; the signal's reason
 */
export async function runScript(
  programs: Programs,
  { script, args, what, timeoutMs, ...run }: ScriptRun,
): Promise<unknown> {
  const result = await runProgram({
    program: programs.find("osascript") ?? "osascript",
    args: ["-l", "JavaScript", "-e", script, ...args],
    timeoutMs,
    late: new ServiceError(
      "timed_out",
      `Cannot ${what}: macOS has not answered within ${timeoutMs} ms`,
    ),
    ...run,
  });
  const failed = (why: string, cause?: unknown) =>
    new ServiceError("unavailable", `Cannot ${what}: ${why}`, { cause });
  if (result.code !== 0) throw failed(`"osascript" ended with ${result.code}`);
  try {
    return JSON.parse(result.stdout);
  } catch (cause) {
    throw failed(`"osascript" gave an answer of another kind`, cause);
  }
}
