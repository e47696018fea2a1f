/** Runs a program of macOS to its end. */

import { ServiceError } from "../../core/errors.ts";
import { type HelperResult, type HelperRun, runHelper } from "../helper_program.ts";

export type ProgramResult = HelperResult;

export interface ProgramRun extends Omit<HelperRun, "env" | "detached" | "failure"> {
  readonly timeoutMs: number;
  /** The error when it has not ended in time, instead of one that names the program. */
  readonly late?: ServiceError;
}

/**
 * @throws ServiceError `unavailable` when the program is missing or hangs; the reason of `signal`
 * when an abort killed it.
 */
export async function runProgram(run: ProgramRun): Promise<ProgramResult> {
  const name = programName(run.program);
  const texts = {
    "not installed": `Cannot run "${name}": it is not there`,
    "not started": `Cannot run "${name}": it cannot be started`,
    late: `Cannot go on: "${name}" has not ended within ${run.timeoutMs} ms`,
  };
  return await runHelper({
    ...run,
    // without it pbcopy and pbpaste treat text as ASCII
    env: { LC_ALL: "en_US.UTF-8" },
    failure: (state, cause) =>
      (state === "late" ? run.late : undefined) ??
        new ServiceError("unavailable", texts[state], { cause }),
  });
}

/** The file name of a program. */
export function programName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}
