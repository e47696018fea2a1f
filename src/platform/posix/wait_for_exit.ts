/** Waits for a child process and reports its exit code as shells do. */

import { constants } from "node:os";

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
