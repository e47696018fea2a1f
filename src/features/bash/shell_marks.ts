/** The marks that a {@link ShellSession} has its shell write after each command. */

import type { ManagedProcess } from "./managed_process.ts";

/** Begins and ends a mark; no shell shows it while it traces (`set -x`). */
export const MARK = "\x1e";

/** Whole marks, and what a part of the output has of one that was cut. */
const MARKS =
  // deno-lint-ignore no-control-regex -- the character that begins and ends a mark
  /\x1e[0-9a-f-]{36} \d{1,3}\x1e|^(?:[0-9a-f-]{0,36} )?\d{0,3}\x1e|\x1e[0-9a-f-]{0,36}(?: \d{0,3})?$/g;

/** How the mark after a command begins: its exit code and {@link MARK} follow. */
export function newMark(): string {
  return `${MARK}${crypto.randomUUID()} `;
}

/** A part of the output of a process as users see it: without marks. */
export function withoutMarks({ writesMarks }: ManagedProcess, text: string): string {
  return writesMarks ? text.replaceAll(MARKS, "") : text;
}
