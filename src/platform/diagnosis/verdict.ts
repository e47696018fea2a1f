/** The result of one check of the computer, and how a check is made. */

/**
 * `ok`: it works. `note`: it does not, or works with limits, and nobody has asked for it. `failed`:
 * it was asked for, and does not work.
 */
export type Status = "ok" | "note" | "failed";

export interface Verdict {
  readonly status: Status;
  /** What was found: half a sentence. */
  readonly detail: string;
  /** The command or the flag that mends it. */
  readonly mend?: string;
}

/** Makes one check, with a time limit, and reports it under this name. Never throws. */
export type Examine = (
  name: string,
  check: () => Verdict | Promise<Verdict>,
  options?: ExamineOptions,
) => Promise<Verdict>;

export interface ExamineOptions {
  /** Whether it was asked for; otherwise what fails is only noted. */
  readonly asked?: boolean;
  /** Its own time limit, in milliseconds. */
  readonly limitMs?: number;
  /** What it means when the time is up. */
  readonly late?: Omit<Verdict, "status">;
  /** What mends an error that the check throws. */
  readonly mend?: string;
}

export function ok(detail: string): Verdict {
  return { status: "ok", detail };
}

export function note(detail: string, mend?: string): Verdict {
  return { status: "note", detail, ...mend !== undefined && { mend } };
}

export function failed(detail: string, mend?: string): Verdict {
  return { status: "failed", detail, ...mend !== undefined && { mend } };
}

/** The number of milliseconds since `start` (`performance.now()`), as text: `3.1 ms`. */
export function sinceText(start: number): string {
  const ms = performance.now() - start;
  return `${ms < 100 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
