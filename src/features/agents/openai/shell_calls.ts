/**
 * Performs `shell_call` items (several commands, one after the other) and `local_shell_call` items
 * (one program with its arguments) with the operation that runs commands.
 */

import { z } from "zod";
import { ServiceError } from "../../../core/errors.ts";
import { omissionMark, quoteForShell, shorten } from "../../../core/texts.ts";
import type { Platform } from "../../../platform/types/mod.ts";
import { gapLines } from "../../bash/execute_command.ts";
import type { Context } from "../../context.ts";
import { callOperation, failureText, namingFields, readFields } from "../actions.ts";
import type { AnswerItem, Call } from "./items.ts";

/** For calls that give no time limit, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 60_000;
/** A command that did not end in time is ended this much later, in seconds. */
const GRACE_S = 1;
const MAX_COMMANDS = 100;
/** As the shell's own code for a command that ran out of time. */
const TIMED_OUT = 124;

const Timeout = z.number().positive().optional();
const ShellAction = z.object({
  commands: z.array(z.string()).min(1).max(MAX_COMMANDS),
  timeout_ms: Timeout,
  max_output_length: z.int().min(0).optional(),
});
const LocalAction = z.object({
  type: z.literal("exec").optional(),
  command: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()).optional(),
  timeout_ms: Timeout,
  user: z.string().optional(),
  working_directory: z.string().optional(),
});

interface ShellContext {
  readonly shown: OutputBudget;
  /** The folder in which commands begin, without it the home. */
  readonly cwd: string | undefined;
}

/** As the operation gives it, or why the command could not be run. */
interface ShellCallResult {
  readonly output: string;
  readonly failure?: string;
  /** Why the output may contain stored values. */
  readonly redaction_gap?: string;
  /** `null` when the command did not end in time. */
  readonly exit_code: number | null;
}

/** @throws the reason of the context's signal when the client has left */
export async function answerShellCall(
  context: Context,
  { callId, item }: Call,
  { shown, cwd }: ShellContext,
): Promise<AnswerItem> {
  const answer = (output: readonly object[], length?: number) => ({
    type: "shell_call_output",
    call_id: callId,
    output,
    ...(length !== undefined && { max_output_length: length }),
    ...("caller" in item && { caller: item["caller"] }),
  });
  const output: object[] = [];
  try {
    const action = readFields(ShellAction, item["action"], "action");
    const { max_output_length: length } = action;
    for (const command of action.commands) {
      const outcome = await runCommand(context, { command, cwd }, action.timeout_ms)
        .catch((error) => failed(context, error));
      output.push(toOutput(outcome, shown, length));
    }
    return answer(output, length);
  } catch (error) {
    return answer([toOutput(failed(context, error), shown)]);
  }
}

/** The operation gives output and errors as they came, in one text: it is the `stdout` here. */
function toOutput(
  { output, failure = "", exit_code, redaction_gap }: ShellCallResult,
  shown: OutputBudget,
  length?: number,
) {
  return {
    stdout: shown.take(output, length),
    stderr: shown.take([failure, ...gapLines(redaction_gap)].filter(Boolean).join("\n"), length),
    outcome: exit_code === null ? { type: "timeout" } : { type: "exit", exit_code },
  };
}

/** @throws the reason of the context's signal when the client has left */
export async function answerLocalShellCall(
  context: Context,
  { callId, item }: Call,
  { shown, cwd }: ShellContext,
): Promise<AnswerItem> {
  const begun = performance.now();
  const result = await runProgram(context, item["action"], cwd)
    .catch((error) => failed(context, error));
  const { output, failure, exit_code, redaction_gap } = result;
  const text = shown.take([failure ?? output, ...gapLines(redaction_gap)].join("\n"));
  const duration_seconds = Math.round((performance.now() - begun) / 100) / 10;
  return {
    type: "local_shell_call_output",
    id: callId,
    output: JSON.stringify({
      output: exit_code === null ? `${text}\n(ended: it timed out)` : text,
      metadata: { exit_code: exit_code ?? TIMED_OUT, duration_seconds },
    }),
    status: "completed",
  };
}

async function runProgram(
  context: Context,
  given: unknown,
  workspace: string | undefined,
): Promise<ShellCallResult> {
  const action = readFields(LocalAction, given, "action");
  const { command, env, working_directory, user, timeout_ms } = action;
  if (user !== undefined && user !== "") {
    const message = "commands run as the user of the service, and as no other `user`";
    throw new ServiceError("unsupported", message);
  }
  const input = {
    command: commandLine(command, context.platform.system),
    ...(env && Object.keys(env).length > 0 && { env }),
    cwd: working_directory || workspace,
  };
  return await runCommand(context, input, timeout_ms);
}

const FIELD_NAMES = { timeout: "timeout_ms", cwd: "working_directory" };

async function runCommand(
  context: Context,
  input: { readonly command: string; readonly cwd: string | undefined },
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<ShellCallResult> {
  const timeout = Math.min(timeoutMs, context.config.limits.maxCommandTimeoutMs) / 1_000;
  const fields = { ...input, timeout, max_runtime: timeout + GRACE_S };
  return await namingFields(
    FIELD_NAMES,
    async () => await callOperation(context, "executeCommand", fields) as ShellCallResult,
  );
}

function failed({ signal }: Context, error: unknown): ShellCallResult {
  signal.throwIfAborted();
  return { output: "", failure: failureText(error), exit_code: 1 };
}

// One line for the shell that runs a program with exactly the given arguments.

/** Characters that `cmd` would read as its own even between quotes, or that end the line. */
const CMD_SPECIAL = /["%!\r\n]/;
const CMD_QUOTED = /[\s&|<>^(),;=]|^$/;

/** @throws ServiceError for an argument that `cmd` cannot hand on */
export function commandLine(words: readonly string[], system: Platform["system"]): string {
  return words.map(system === "windows" ? quoteForCmd : quote).join(" ");
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoteForShell(word);
}

function quoteForCmd(word: string): string {
  if (CMD_SPECIAL.test(word)) {
    const message = "an argument contains a quote, a percent sign, an exclamation mark or a line " +
      "break, which cmd does not pass on: write the command as a script";
    throw new ServiceError("unsupported", message);
  }
  return CMD_QUOTED.test(word) ? `"${word.replace(/(\\+)$/, "$1$1")}"` : word;
}

// How much of what commands write is shown to the model.

/** Characters shown of one output, where its call does not say how many. */
const MAX_ONE = 64_000;
/** Characters shown of all outputs of a response. */
const MAX_ALL = 1_000_000;
/** With less than this left, an output that does not fit is left out as a whole. */
const MIN_PART = 200;

/** The outputs of one response. */
export class OutputBudget {
  #left = MAX_ALL;

  /** The text, or the start and the end of one that is too long. */
  take(text: string, max = MAX_ONE): string {
    if (text.length > this.#left && this.#left < MIN_PART) {
      return omissionMark(text.length).slice(0, max);
    }
    const shown = shorten(text, Math.min(max, this.#left));
    this.#left -= shown.length;
    return shown;
  }
}
