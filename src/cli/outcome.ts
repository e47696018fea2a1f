/** What a command prints, and the exit code of the program. */

export interface Outcome {
  readonly code: number;
  /** For standard output. */
  readonly lines?: readonly string[];
  /** For standard error. */
  readonly errors?: readonly string[];
}

/** As `systemctl status` and init scripts say it: the program is not running. */
export const NONE_RUNS = 3;
