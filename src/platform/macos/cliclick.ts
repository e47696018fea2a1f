/**
 * Runs the processes that produce input. cliclick reads commands from its standard input (`-f -`),
 * because every user can see arguments.
 */

import { ServiceError } from "../../core/errors.ts";
import type { HelperResult } from "../helper_program.ts";
import type { Point } from "../types/mod.ts";
import {
  INSTALL_CLICLICK,
  needsAccessibility,
  type Program,
  type Programs,
  runProgram,
  SCRIPT_TOOLS,
} from "./programs.ts";

/** The input of one process. */
export type Job =
  | { readonly program: "cliclick"; readonly lines: readonly string[] }
  | { readonly program: "osascript"; readonly events: readonly MacEvent[] };

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

// The script for `osascript -l JavaScript` that posts the events for which cliclick has no command.

/** One event; coordinates are in points and span all displays. */
export type MacEvent =
  | {
    readonly type: "wheel";
    readonly up: number;
    readonly right: number;
    /** Lines by default. */
    readonly unit?: "pixel";
  }
  | {
    readonly type: "button";
    readonly button: number;
    readonly down: boolean;
    /** The click count, from 1, within a double or triple click; 1 by default. */
    readonly press?: number;
  }
  | { readonly type: "move"; readonly button: number; readonly x: number; readonly y: number }
  | { readonly type: "key"; readonly code: number; readonly down: boolean };

/** The output when macOS discards the events. */
const NOT_TRUSTED = "not trusted";

/**
 * Takes the events as a JSON list, its only argument. The numbers are those of CGEventTypes.h: tap
 * 0 (HID); buttons 0 left, 1 right, 2 and more others; types 1 2 6 (left down, up, dragged), 3 4 7
 * (right), 25 26 27 (others); field 1 (click state). A wheel event with two axes counts up and left
 * as positive, in lines; large counts are split into several events, because programs accept no
 * more than about ten lines each.
 */
export const EVENT_SCRIPT = `${SCRIPT_TOOLS}
ObjC.import("CoreGraphics");
ObjC.import("ApplicationServices");

const TYPES = [{ down: 1, up: 2, dragged: 6 }, { down: 3, up: 4, dragged: 7 }];
const OTHER = { down: 25, up: 26, dragged: 27 };
const LINES = 10;

function post(event) {
  $.CGEventPost(0, event);
  delay(0.01);
}

function mouse(what, button, at, press) {
  const type = (TYPES[button] || OTHER)[what];
  const event = $.CGEventCreateMouseEvent(null, type, at, button);
  if (press) $.CGEventSetIntegerValueField(event, 1, press);
  post(event);
}

function turn(up, right, unit) {
  if (unit === "pixel") {
    post($.CGEventCreateScrollWheelEvent2(null, 0, 2, up, -right, 0));
    return;
  }
  for (; up !== 0 || right !== 0;) {
    const lines = [up, right].map((value) => Math.max(-LINES, Math.min(LINES, value)));
    post($.CGEventCreateScrollWheelEvent2(null, 1, 2, lines[0], -lines[1], 0));
    up -= lines[0];
    right -= lines[1];
  }
}

const EVENTS = {
  wheel: ({ up, right, unit }) => turn(up, right, unit),
  button: ({ button, down, press }) =>
    mouse(down ? "down" : "up", button, $.CGEventGetLocation($.CGEventCreate(null)), press),
  move: ({ button, x, y }) => mouse("dragged", button, $.CGPointMake(x, y)),
  key: ({ code, down }) => post($.CGEventCreateKeyboardEvent(null, code, down)),
};

function run(argv) {
  if (!trusted()) return "${NOT_TRUSTED}";
  for (const event of JSON.parse(argv[0])) EVENTS[event.type](event);
  return "done";
}
`;
