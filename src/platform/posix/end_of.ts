/** How a child process ended, as shells tell it. */

import { constants } from "node:os";

const UNKNOWN_END = 255;

/** Resolves with the exit code when the child has ended, 128 + n when signal n ended it; never rejects. */
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
