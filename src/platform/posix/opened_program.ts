/** Starts a program with a window; it and its child processes always end with the service. */

import { constants, getPriority, setPriority } from "node:os";
import { within } from "../../core/deadline.ts";
import { tryTo } from "../../core/errors.ts";
import { lastLine } from "../../core/texts.ts";
import { captureTail, PIPED, spawnInSession } from "../helper_program.ts";
import { killSession, sendSignal } from "./process_table.ts";

/**
 * Runs the program in its own session. The standard input of this script is a pipe whose other end
 * only the service holds: when the pipe closes, even by a SIGKILL of the service, the script ends
 * every process. The exit code is reported immediately, even if processes that the program started
 * still run.
 */
const SUPERVISED = `
exec 3<&0 4>&1 </dev/null >/dev/null
trap : TERM
"$@" 3<&- 4>&- &
program=$!
{
  trap '' TERM
  exec 4>&-
  read -r _ <&3
  kill -s TERM -- "-$$"
  sleep 2
  kill -s KILL -- "-$$"
} 2>/dev/null &
exec 3<&-
while :; do
  wait "$program"
  code=$?
  kill -s 0 "$program" 2>/dev/null || break
done
echo "$code" >&4
exec 4>&- 2>/dev/null
wait
`;

/** Time that the program gets to end before it is killed. */
const EXIT_TIMEOUT_MS = 2_000;

export interface OpenedProgram {
  readonly pid: number;
  /**
   * Resolves when the program itself ends: with its exit code and its last line of error output.
   */
  readonly ended: Promise<{ readonly code: number; readonly lastLine: string }>;
  /** Ends the program and everything it has started. */
  end(): Promise<void>;
}

/** @throws Error when the program cannot be started. */
export function startOpenedProgram(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): OpenedProgram {
  const child = spawnInSession(["/bin/sh", "-c", SUPERVISED, "sh", ...command], {
    cwd,
    env,
    clearEnv: true,
    ...PIPED,
  });
  const errors = captureTail(child.stderr);
  const output = captureTail(child.stdout);
  const ended = output.ended.then(() => ({
    code: Number(output.text.trim() || 0),
    lastLine: lastLine(errors.text),
  }));
  return {
    pid: child.pid,
    ended,
    async end() {
      sendSignal(-child.pid, "SIGTERM");
      await within(ended, EXIT_TIMEOUT_MS);
      // the program, if it still runs, and whatever it left running
      killSession(child);
      await ended;
      await child.stdin.close().catch(() => {});
      await child.status;
    },
  };
}

// Waits for a child process and reports its exit code as shells do.

const UNKNOWN_END = 255;

/** Resolves with the exit code, or with 128 + n when signal n killed the child; never rejects. */
export async function waitForExit(child: Deno.ChildProcess): Promise<number> {
  try {
    return toExitCode(await child.status);
  } catch (error) {
    // Deno has no name for a real-time signal: `Invalid signal: 35`
    const number = /signal: (\d+)/.exec((error as Error).message)?.[1];
    return number === undefined ? UNKNOWN_END : 128 + Number(number);
  }
}

function toExitCode({ code, signal }: Deno.CommandStatus): number {
  if (signal === null) return code;
  return 128 + (constants.signals[signal as keyof typeof constants.signals] ?? code - 128);
}

// Lowers the priority of commands below the service and the desktop; costs nothing when idle.

/** The lowest priority of `nice`. */
const LOWEST = 19;

/**
 * Adds a `nice` value, from 0 to 19, to that of the service; it counts only within the same
 * scheduler group.
 */
export class NicePriority implements Disposable {
  constructor(protected readonly nice: number) {}

  /** Lowers the priority of a process that was just started; its later children inherit that. */
  lower(pid: number): void {
    if (this.nice === 0) return;
    // where it has ended, or the system refuses, it keeps the service's priority
    tryTo(() => setPriority(pid, Math.min(getPriority() + this.nice, LOWEST)));
  }

  /** Called when the process has ended. */
  forget(_pid: number): void {}

  [Symbol.dispose](): void {}
}
