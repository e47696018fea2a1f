/** Anthropic's `bash` tool: commands in a shell that keeps its state, and its restart. */

import { z } from "zod";
import { ServiceError } from "../../../core/errors.ts";
import { CommandText } from "../../bash/fields.ts";
import { gapLines } from "../../bash/redaction.ts";
import { launchShell } from "../../bash/launch_shell.ts";
import type { CommandOutcome } from "../../bash/shell_session.ts";
import type { Context } from "../../context.ts";
import { readFields } from "../read_fields.ts";
import type { TurnInput } from "./fields.ts";

const Bash = z.object({ command: CommandText.optional(), restart: z.boolean().optional() });

/** The most characters that are shown of the output of a command that took too long. */
const MAX_LAST = 3_000;

/** What the model reads; a command that fails is a result like any other. */
export async function runBash(
  context: Context,
  input: unknown,
  { shell, bash_timeout }: Pick<TurnInput, "shell" | "bash_timeout">,
): Promise<string> {
  const { command, restart } = readFields(Bash, input, "bash");
  if (command === undefined && !restart) {
    throw new ServiceError("invalid", "Give either command or restart: true");
  }
  return await context.session.shellSessions.use(shell, async (session) => {
    if (restart) await session.restart(context.signal);
    if (command === undefined) return "The shell was restarted.";
    const outcome = await session.run(command, {
      timeoutMs: bash_timeout * 1000,
      signal: context.signal,
      launch: () => launchShell(context),
    });
    return describeOutcome(outcome, bash_timeout);
  });
}

/** @throws ServiceError `timed_out` for a command that was ended */
function describeOutcome(
  { output, status, exitCode, redactionGap }: CommandOutcome,
  timeout: number,
): string {
  const text = output.replace(/\n$/, "");
  const lines = text === "" ? [] : [text];
  if (status === "timed_out") {
    const end =
      `The command took more than ${timeout} s. It was ended, and its shell with it: the next ` +
      "command begins in a new shell. Let long commands run in the background: command > log 2>&1 &";
    const last = lines.map((shown) => `Its last output:\n${shown.slice(-MAX_LAST)}`);
    throw new ServiceError("timed_out", [end, ...last, ...gapLines(redactionGap)].join("\n"));
  }
  if (status === "ended") {
    lines.push(
      `[The shell has ended with exit code ${exitCode}: the next command begins in a new shell.]`,
    );
  } else if (exitCode !== 0) lines.push(`[exit code ${exitCode}]`);
  if (text !== "") lines.push(...gapLines(redactionGap));
  return lines.length === 0 ? "(no output)" : lines.join("\n");
}
