/** The output of a command and the exit code of the program. */

export interface Outcome {
  readonly code: number;
  /** For standard output. */
  readonly lines?: readonly string[];
  /** For standard error. */
  readonly errors?: readonly string[];
}

/** The exit code of `systemctl status` and init scripts for a program that does not run. */
export const NONE_RUNS = 3;
