/**
 * Runs a command: returns its result if it ends in time, otherwise it continues in the background.
 */

import { resolve } from "node:path";
import type { CommandLine } from "../../platform/types/mod.ts";
import { startsAtHome } from "../filesystem/paths.ts";
import type { Context } from "../context.ts";
import { createRedactor } from "../secrets/redact.ts";
import { within } from "../../core/deadline.ts";
import { describeRedaction, type EnvSecrets, resolveEnvSecrets } from "./redact_output.ts";
import type { ManagedProcess } from "./managed_process.ts";
import { Shell } from "./shell.ts";
import { KnownSecrets } from "../secrets/known_secrets.ts";

export interface CommandInput {
  readonly command: string;
  /** In seconds. */
  readonly timeout: number;
  readonly max_runtime?: number | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly env_secrets?: EnvSecrets | undefined;
  readonly stdin?: string | undefined;
  readonly stdin_open: boolean;
}

export async function executeCommand(context: Context, input: CommandInput) {
  const { session, signal, config } = context;
  const shell = session.use(Shell);
  const { stdin, timeout, max_runtime, stdin_open, env_secrets } = input;
  using stack = new DisposableStack();
  const secrets = env_secrets && stack.use(await resolveEnvSecrets(context, env_secrets));
  const traced = session.spans?.environment();
  const env = secrets || traced ? { ...traced, ...input.env, ...secrets?.env } : input.env;
  const process = await shell.start(toCommandLine({ ...input, env }, shell.home), {
    signal,
    redactor: createRedactor(config, session.use(KnownSecrets)),
    maxRuntimeMs: max_runtime === undefined ? undefined : max_runtime * 1000,
  });
  const held = stack.move();
  process.done.then(() => held.dispose());
  if (stdin) process.input?.write(stdin);
  if (!stdin_open) process.input?.close();
  await answerOrLeave(process, timeout * 1000, signal);
  return await describeResult(process);
}

function toCommandLine(input: CommandInput, home: string): CommandLine {
  const { command, cwd, env, stdin, stdin_open } = input;
  return {
    command,
    ...(cwd === undefined ? {} : { cwd: resolveFolder(cwd, home) }),
    ...(env === undefined ? {} : { env }),
    input: stdin_open || (stdin !== undefined && stdin !== ""),
  };
}

function resolveFolder(cwd: string, home: string): string {
  if (cwd === "~") return home;
  return resolve(home, startsAtHome(cwd) ? cwd.slice(2) : cwd);
}

/**
 * Waits for the result. If the timeout passes or the client disconnects first, the process is
 * remembered.
 */
async function answerOrLeave(
  process: ManagedProcess,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  if (timeoutMs > 0) await within(process.answered, timeoutMs, signal);
  if (process.exitCode === undefined) process.remembered = true;
  else await process.answered; // it ended in time, and its remaining output is being read
}

/**
 * The state at this moment: changes while the output is being decoded belong to the next answer.
 */
async function describeResult(process: ManagedProcess) {
  const reading = process.output.readYielding(0);
  const exitCode = process.exitCode;
  const completed = exitCode !== undefined;
  const redaction = describeRedaction(process);
  const { text, truncated } = await reading;
  return {
    output: text,
    status: completed ? "completed" as const : "background" as const,
    process_id: completed ? null : process.pid,
    exit_code: exitCode ?? null,
    truncated,
    ...redaction,
  };
}
