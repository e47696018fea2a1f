/**
 * Runs the processes that produce input. cliclick reads commands from its standard input (`-f -`),
 * because every user can see arguments.
 */

import { ServiceError } from "../../core/errors.ts";
import type { HelperResult } from "../helper_program.ts";
import type { Point } from "../types/mod.ts";
import { EVENT_SCRIPT, type MacEvent, NOT_TRUSTED } from "./event_script.ts";
import {
  INSTALL_CLICLICK,
  needsAccessibility,
  type Program,
  type Programs,
  runProgram,
} from "./programs.ts";
import type { Job } from "./steps.ts";

/** Added to the time limit of a process for each of its commands: cliclick pauses after each. */
const MS_PER_COMMAND = 250;
/** The warning of cliclick 5.1 and later; it continues, and macOS discards the events. */
const UNTRUSTED = /Accessibility privileges not enabled/i;
/** cliclick skips the character and continues. */
const NO_KEY = /Unable to get key code/i;

/**
 * Runs one process to its end.
 * @throws ServiceError `permission_denied` without the Accessibility permission, `unavailable` when
 * the program fails; the reason of `signal`. The error never quotes the program's output, which may
 * contain the typed text.
 */
export function runJob(programs: Programs, job: Job, signal?: AbortSignal): Promise<void> {
  return job.program === "cliclick"
    ? runCliclick(programs, job.lines, signal).then(() => {})
    : postEvents(programs, job.events, signal);
}

/** Runs commands of cliclick and returns what they print. */
export async function runCliclick(
  programs: Programs,
  lines: readonly string[],
  signal?: AbortSignal,
): Promise<string> {
  const result = await run(programs, "cliclick", {
    args: ["-f", "-"],
    stdin: `${lines.join("\n")}\n`,
    commands: lines.length,
    signal,
  });
  if (UNTRUSTED.test(result.stderr) || UNTRUSTED.test(result.stdout)) throw needsAccessibility();
  if (NO_KEY.test(result.stderr)) {
    throw new ServiceError(
      "unavailable",
      "A character was omitted: the active keyboard layout has no key for it; choose a Latin layout, such as ABC",
    );
  }
  return result.stdout;
}

/** The position of the cursor, in points. Needs no permission. */
export async function readPosition(programs: Programs): Promise<Point> {
  const { stdout } = await run(programs, "cliclick", {
    args: ["-f", "-"],
    stdin: "p:.\n",
    commands: 1,
  });
  // `12,34`, and `Current mouse position: 12,34` before version 3.2
  const [, x, y] = stdout.match(/(-?\d+),(-?\d+)\s*$/) ?? [];
  if (x === undefined || y === undefined) {
    throw new ServiceError(
      "unavailable",
      "cliclick did not report the position of the cursor: try again",
    );
  }
  return { x: Number(x), y: Number(y) };
}

async function postEvents(
  programs: Programs,
  events: readonly MacEvent[],
  signal?: AbortSignal,
): Promise<void> {
  const lines = events.reduce((sum, event) => sum + eventSize(event), 0);
  const { stdout } = await run(programs, "osascript", {
    args: ["-l", "JavaScript", "-e", EVENT_SCRIPT, JSON.stringify(events)],
    commands: lines,
    signal,
  });
  if (stdout.trim() === NOT_TRUSTED) throw needsAccessibility();
}

function eventSize(event: MacEvent): number {
  return event.type === "wheel"
    ? Math.ceil(Math.max(Math.abs(event.up), Math.abs(event.right)) / 10)
    : 1;
}

interface Run {
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly commands: number;
  readonly signal?: AbortSignal | undefined;
}

async function run(
  programs: Programs,
  program: Program,
  { args, stdin, commands, signal }: Run,
): Promise<HelperResult> {
  const path = programs.find(program);
  if (path === undefined) {
    const reason = program === "cliclick" ? INSTALL_CLICLICK : `"${program}" does not exist`;
    throw new ServiceError("unavailable", `Nothing was done: ${reason}`);
  }
  const result = await runProgram({
    program: path,
    args,
    ...(stdin === undefined ? {} : { stdin }),
    ...(signal === undefined ? {} : { signal }),
    timeoutMs: programs.timeoutMs + commands * MS_PER_COMMAND,
  });
  if (result.code === 0) return result;
  throw new ServiceError(
    "unavailable",
    `Cannot control the mouse and keyboard: "${program}" ended with ${result.code}; check that it runs in a terminal of this Mac`,
  );
}
