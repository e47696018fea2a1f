/**
 * Runs a command for the client of another project, which wants standard output and standard error
 * apart: `bash/command` gives both as one text.
 */

import { IN_SHLEX, quoteForShell, splitWords } from "../core/texts.ts";
import { type CompatBindings, invalid } from "./compat.ts";

export interface CommandResult {
  /** Of a long output the beginning and the end, as `bash/command` keeps them. */
  readonly stdout: string;
  /** Its last {@link MAX_STDERR_BYTES}; on Windows it is part of `stdout`. */
  readonly stderr: string;
  /** 128 + n if signal n ended it; `undefined` if its time was up, and it was ended for that. */
  readonly exitCode: number | undefined;
  /** The time that it was given. */
  readonly seconds: number;
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
 * Waits for the end of the command.
 * @param command for `/bin/sh`, on Windows for the service's shell
 * @param wantedSeconds after which it is ended with all that it has started, at most those that one
 * request may wait; what a command that ends in time leaves running goes on, which `max_runtime`
 * would end
 * @throws OperationFailure
 */
export async function runCommand(
  { operations, service }: Pick<CompatBindings, "operations" | "service">,
  command: string,
  wantedSeconds = Infinity,
  more: CommandMore = {},
): Promise<CommandResult> {
  const seconds = Math.min(service.maxCommandSeconds, wantedSeconds);
  const mark = crypto.randomUUID();
  const { output, exit_code, process_id, truncated } = await operations.call("/api/bash/command", {
    command: service.system === "windows" ? command : withMark(command, mark),
    timeout: seconds,
    ...more,
  });
  if (process_id !== null) {
    await operations.send(`/api/bash/process/${process_id}`, undefined, "DELETE");
  }
  const [stdout, stderr = ""] = output.split(mark);
  return { stdout, stderr, exitCode: exit_code ?? undefined, seconds, truncated };
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

/** In UTF-16 code units: no system takes a longer command. */
const MAX_LENGTH = 128 * 1024;

/** The words of a command that no shell runs, as Python's `shlex` splits it. @throws OperationFailure */
export function splitCommand(command: string): readonly string[] {
  if (command.length > MAX_LENGTH) throw invalid(`it has more than ${MAX_LENGTH} characters`);
  try {
    return splitWords(command, IN_SHLEX);
  } catch (error) {
    throw invalid((error as Error).message);
  }
}
