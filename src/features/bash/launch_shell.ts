/** Starts the shell of a {@link ShellSession}. */

import { ServiceError } from "../../core/errors.ts";
import type { Context } from "../context.ts";
import type { ManagedProcess } from "./managed_process.ts";
import { Shell } from "./shell.ts";

/** The shell that runs commands, if it is a bash. */
const COMMAND = 'exec "${BASH:-/bin/sh}"';

/**
 * A shell that takes commands from its input.
 * @throws ServiceError as `bash/command` does, `unsupported` on Windows
 */
export async function launchShell(
  { calls, session, signal, platform }: Context,
): Promise<ManagedProcess> {
  if (platform.system === "windows") {
    throw new ServiceError(
      "unsupported",
      "Shells that keep their state are not available on Windows",
    );
  }
  const started = await calls
    .prepare("executeCommand", { command: COMMAND, timeout: 0, stdin_open: true })
    .run({ signal });
  if (started.kind !== "json") throw new TypeError("The command returned no JSON");
  const { process_id } = started.value as { readonly process_id: number };
  return session.use(Shell).find(process_id);
}
