/** Runs the xdotool program; texts are passed only through its standard input. */

import { ServiceError } from "../../../core/errors.ts";
import { runHelper } from "../../helper_program.ts";

/** One process: a chain of commands and its standard input. */
export interface XdotoolProcess {
  readonly args: readonly string[];
  readonly stdin?: string;
}

/**
 * Runs one process and returns its output.
 * @throws the reason of `signal` when that ends the process, otherwise ServiceError `unavailable`.
 */
export async function runXdotool(
  xDisplay: string,
  process: XdotoolProcess,
  signal: AbortSignal,
): Promise<string> {
  const { code, stdout } = await runHelper({
    ...{ ...process, program: "xdotool", signal, detached: true },
    // without a UTF-8 locale it refuses every character beyond ASCII
    env: { DISPLAY: xDisplay, LC_ALL: "C.UTF-8" },
    failure: (state, cause) => state === "not installed" ? notInstalled(cause) : cause,
  });
  if (code === 0) return stdout;
  signal.throwIfAborted();
  // Its error output is left out, because it can quote the typed text.
  throw new ServiceError(
    "unavailable",
    `xdotool cannot control the X display "${xDisplay}" (it ended with ${code}): ` +
      `check that its X server runs, or use --backend x11`,
  );
}

function notInstalled(cause: unknown): ServiceError {
  return new ServiceError(
    "unavailable",
    "xdotool is not installed: run sudo apt-get install -y xdotool, or use --backend x11",
    { cause },
  );
}
