/**
 * Runs a command for the client of another project, which wants standard output and standard error
 * apart: `bash/command` gives both as one text.
 */

import { quoteForShell } from "../core/texts.ts";
import { OperationFailure, type Operations } from "./compat.ts";

export interface CommandResult {
  /** Of a long output the beginning and the end, as `bash/command` keeps them. */
  readonly stdout: string;
  /** Its last {@link MAX_STDERR_BYTES}; on Windows it is part of `stdout`. */
  readonly stderr: string;
  /** 128 + n if signal n ended it; `null` if it still runs. */
  readonly exitCode: number | null;
  /** The process that still runs. */
  readonly processId: number | null;
  /** Whether it was ended because its time was up. */
  readonly timedOut: boolean;
  /** Whether a part of `stdout` is missing. */
  readonly truncated: boolean;
}

/** What a command gets besides its text. */
export interface CommandMore {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
}

/** So much that it is in the part of the output that is always kept. */
const MAX_STDERR_BYTES = 512 * 1024;

/**
 * Waits for the end of the command as long as one request may wait.
 * @param command for `/bin/sh`, on Windows for the service's shell
 * @param timeoutSeconds after which it is ended with all that it has started; what a command that ends
 * in time leaves running goes on, which `max_runtime` would end
 * @throws OperationFailure
 */
export async function runCommand(
  operations: Operations,
  command: string,
  timeoutSeconds?: number,
  more: CommandMore = {},
): Promise<CommandResult> {
  const { system, maxCommandSeconds } = await describeSystem(operations);
  const mark = crypto.randomUUID();
  const { output, exit_code, process_id, truncated } = await operations.call("/api/bash/command", {
    command: system === "windows" ? command : withMark(command, mark),
    timeout: Math.min(maxCommandSeconds, timeoutSeconds ?? maxCommandSeconds),
    ...more,
  });
  const timedOut = process_id !== null && timeoutSeconds !== undefined &&
    timeoutSeconds <= maxCommandSeconds;
  if (timedOut) await operations.send(`/api/bash/process/${process_id}`, { method: "DELETE" });
  const [stdout, stderr = ""] = output.split(mark);
  return {
    stdout,
    stderr,
    exitCode: exit_code,
    processId: timedOut ? null : process_id,
    timedOut,
    truncated,
  };
}

/**
 * A command that writes the standard error of another one behind a mark, after its output, and ends
 * as that did. The file between them has no name while it is used, so that nothing is left behind
 * when the command is killed. What the shell says of a signal that ended the command is dropped.
 */
function withMark(command: string, mark: string): string {
  const script = `f=$(mktemp) && exec 3>"$f" 4<"$f" 2>/dev/null && rm -f "$f" || exit 125
/bin/sh -c "$1" 2>&3 3>&- 4<&-
s=$?
printf %s ${mark}
tail -c ${MAX_STDERR_BYTES} <&4
exit $s`;
  return `/bin/sh -c ${quoteForShell(script)} sh ${quoteForShell(command)}`;
}

export interface SystemDescription {
  readonly system: "linux" | "macos" | "windows";
  readonly version: string;
  /** How long one request may wait for a command. */
  readonly maxCommandSeconds: number;
}

/** What `--disable system` refuses to say is assumed. */
const ASSUMED: SystemDescription = { system: "linux", version: "unknown", maxCommandSeconds: 15 };

/** @throws OperationFailure */
export async function describeSystem({ call }: Operations): Promise<SystemDescription> {
  try {
    const { system, version, limits } = await call("/api/system/info");
    return { system, version, maxCommandSeconds: limits.max_command_timeout_ms / 1_000 };
  } catch (error) {
    if (error instanceof OperationFailure && error.code === "forbidden") return ASSUMED;
    throw error;
  }
}
