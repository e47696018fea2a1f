/**
 * Runs a command: returns its result if it ends in time, otherwise it continues in the background.
 */

import { resolve } from "node:path";
import { z } from "zod";
import type { CommandLine } from "../../platform/types/mod.ts";
import { startsAtHome } from "../filesystem/paths.ts";
import type { CallServices, Context } from "../context.ts";
import { createRedactor } from "../secrets/redact.ts";
import { within } from "../../core/deadline.ts";
import { FieldError } from "../../core/errors.ts";
import type { ManagedProcess } from "./managed_process.ts";
import { Shell } from "./shell.ts";
import { boundedVariables, refusalOfName } from "./fields.ts";
import { KnownSecrets } from "../secrets/known_secrets.ts";
import { readSecret, SecretName } from "../secrets/stored.ts";

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

// How an answer with output reports stored values that it may contain.

/** Stands beside `output` in every answer that has one. */
export const RedactionGap = z.string().optional().describe(
  "Present only if stored secrets may be in `output`, because the keychain could not be read; says why.",
);

export function describeRedaction({ redactionGap }: ManagedProcess) {
  return redactionGap === undefined ? {} : { redaction_gap: redactionGap };
}

/** The same for a model, as a line below the output. */
export function gapLines(gap: string | undefined): string[] {
  return gap === undefined ? [] : [`[Stored secrets may be in this output: ${gap}]`];
}

// Resolves the stored values that a command requests by name, for its environment.

const MAX_VARIABLES = 100;

/** The field `env_secrets` of `bash/command`. */
export const EnvSecrets = boundedVariables(
  z.record(
    // a variable with another name could only be passed as an argument, which every user can see
    z.string().max(256).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
      error: "The name of a variable with a secret may contain only letters, digits and _",
    }).refine((name) => refusalOfName(name) === undefined, {
      error: ({ input }) => refusalOfName(input as string),
    }),
    SecretName,
  ),
  MAX_VARIABLES,
).describe("Variables whose values come from the keychain; only this command gets them.");

export type EnvSecrets = z.output<typeof EnvSecrets>;

/** Variables with stored values, which are redacted until this object is disposed of. */
interface SecretVariables extends Disposable {
  readonly env: Readonly<Record<string, string>>;
}

/**
 * @throws FieldError on `env_secrets` when a value is not stored or cannot be held by an
 * environment.
 */
export async function resolveEnvSecrets(
  context: CallServices,
  secrets: EnvSecrets,
): Promise<SecretVariables> {
  const knownSecrets = context.session.use(KnownSecrets);
  const variables: [string, string][] = [];
  using held = new DisposableStack();
  for (const [name, secret] of Object.entries(secrets)) {
    const value = await readSecret(context, secret, ["env_secrets", name]);
    if (value.includes("\0")) {
      throw new FieldError(["env_secrets", name], "The stored value has a NUL character");
    }
    const item = new Map([[secret.field, value]]);
    knownSecrets.add(secret.service, item); // another program may have changed it since
    held.use(knownSecrets.index.hold(secret.service, item)); // or may change it during the run
    variables.push([name, value]);
  }
  const kept = held.move();
  return { env: Object.fromEntries(variables), [Symbol.dispose]: () => kept.dispose() };
}
