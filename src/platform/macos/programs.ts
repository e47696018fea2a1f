/** Finds the programs that the service drives on macOS, and sets their time limit. */

import { basename } from "node:path";
import { ServiceError } from "../../core/errors.ts";
import { type HelperResult, type HelperRun, runHelper } from "../helper_program.ts";
import type { Host } from "../host.ts";

export type Program =
  | "cliclick"
  | "osascript"
  | "pbcopy"
  | "pbpaste"
  | "screencapture";

/**
 * Where Homebrew (Apple silicon, Intel) and MacPorts install programs; these folders are not on the
 * PATH of a service that launchd starts.
 */
const MORE_FOLDERS = ["/opt/homebrew/bin", "/usr/local/bin", "/opt/local/bin"];

/** Time limit of a program; each cliclick command adds to it. */
const PROGRAM_TIMEOUT_MS = 10_000;

export const INSTALL_CLICLICK = "cliclick is not installed: run brew install cliclick";

export interface Programs {
  /** The path of a program, or `undefined` when it is not installed. */
  find(program: Program): string | undefined;
  /** Time after which a program is killed. */
  readonly timeoutMs: number;
}

export function openPrograms(host: Host, timeoutMs = PROGRAM_TIMEOUT_MS): Programs {
  return {
    find: (program) =>
      host.which(program) ??
        MORE_FOLDERS.map((folder) => `${folder}/${program}`).find((path) => host.exists(path)),
    timeoutMs,
  };
}

// Runs a program of macOS to its end.

interface ProgramRun extends Omit<HelperRun, "env" | "detached" | "failure"> {
  readonly timeoutMs: number;
  /** The error when it has not ended in time, instead of one that names the program. */
  readonly late?: ServiceError;
}

/**
 * @throws ServiceError `unavailable` when the program is missing or hangs; the reason of `signal`
 * when an abort killed it.
 */
export async function runProgram(run: ProgramRun): Promise<HelperResult> {
  const name = basename(run.program);
  const texts = {
    "not installed": `Cannot run "${name}": it does not exist`,
    "not started": `Cannot run "${name}": it cannot be started`,
    late: `Cannot continue: "${name}" did not end within ${run.timeoutMs} ms`,
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

// Error messages for missing macOS permissions; they name the setting to open.

const SETTINGS = "System Settings > Privacy & Security";
const AGAIN = "allow the program that starts this service (the terminal, or deno), then restart it";

export const NEEDS_ACCESSIBILITY =
  `macOS does not allow this service to control the mouse and keyboard: open ${SETTINGS} > Accessibility, ${AGAIN}`;

export const NEEDS_SCREEN_RECORDING =
  `macOS does not allow this service to see the screen: open ${SETTINGS} > Screen Recording ` +
  `("Screen & System Audio Recording" since macOS 15), ${AGAIN}`;

export function needsAccessibility(): ServiceError {
  return new ServiceError("permission_denied", `Nothing was done: ${NEEDS_ACCESSIBILITY}`);
}

export function needsScreenRecording(): ServiceError {
  return new ServiceError("permission_denied", `Cannot take a picture: ${NEEDS_SCREEN_RECORDING}`);
}

// Runs one of the scripts for `osascript -l JavaScript` that print one JSON object.

/** What several scripts use: what is not reported is `otherwise`, and counts as permitted. */
export const SCRIPT_TOOLS = `
function attempt(question, otherwise) {
  try {
    const value = question();
    return value === undefined || value === null ? otherwise : value;
  } catch (_) {
    return otherwise;
  }
}

function trusted() {
  return attempt(() => Boolean($.AXIsProcessTrusted()), true);
}
`;

interface ScriptRun {
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
      `Cannot ${what}: macOS did not respond within ${timeoutMs} ms`,
    ),
    ...run,
  });
  const failed = (why: string, cause?: unknown) =>
    new ServiceError("unavailable", `Cannot ${what}: ${why}`, { cause });
  if (result.code !== 0) throw failed(`"osascript" ended with ${result.code}`);
  try {
    return JSON.parse(result.stdout);
  } catch (cause) {
    throw failed(`"osascript" returned an unexpected answer`, cause);
  }
}
