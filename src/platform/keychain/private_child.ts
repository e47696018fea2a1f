/**
 * Runs a program that handles secrets: they go in by its standard input, and its output is never
 * logged or quoted.
 */

import { ServiceError } from "../../core/errors.ts";
import { type HelperRun, runHelper } from "../helper_program.ts";

export interface PrivateRun extends Omit<HelperRun, "signal" | "detached" | "failure"> {
  /** The program is killed after this time: it may be waiting for a person. */
  readonly timeoutMs: number;
}

export interface PrivateResult {
  readonly code: number;
  readonly stdout: string;
  /** Whether the program wrote to its standard error. */
  readonly complained: boolean;
}

/** @throws ServiceError `unavailable` when it is not installed or takes too long. */
export async function runPrivately(run: PrivateRun): Promise<PrivateResult> {
  const { program, timeoutMs } = run;
  const states = {
    "not installed": "is not installed",
    "not started": "cannot be started",
    late: `has not answered within ${timeoutMs} ms`,
  };
  const { code, stdout, stderr } = await runHelper({
    ...run,
    failure: (state) =>
      new ServiceError("unavailable", `Cannot use the keychain: "${program}" ${states[state]}`),
  });
  return { code, stdout, complained: stderr !== "" };
}
