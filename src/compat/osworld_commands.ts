/**
 * The commands of OSWorld's interface, and what its client does to reach the screen with them:
 * scripts for `pyautogui`, whose module is one of ours that calls this service.
 */

import { pause } from "../core/deadline.ts";
import { once } from "../core/shared_run.ts";
import { quoteForShell } from "../core/texts.ts";
import {
  type CompatApp,
  type CompatContext,
  type CompatEnv,
  OperationFailure,
  withFailures,
} from "./compat.ts";
import { openPyautoguiFolder } from "./pyautogui_folder.ts";
import { type CommandMore, type CommandResult, runCommand } from "./run_command.ts";
import { splitWords } from "./split_words.ts";

type Env = CompatEnv["Bindings"];

/** The times that its server gives a command, in seconds. */
const EXECUTE_SECONDS = 120;
const PYTHON_SECONDS = 30;
const SCRIPT_SECONDS = 100;
const LAUNCH_SECONDS = 15;
const MAX_WAIT_SECONDS = 600;
const VERIFY_SECONDS = 5;
const MIN_INTERVAL_SECONDS = 0.1;

export function addCommands(app: CompatApp): void {
  let openFolder: (() => Promise<string>) | undefined;
  const run: Run = async (env, line, seconds, more) => {
    const { stateDir } = env.service;
    openFolder ??= once(() => withFailures(() => openPyautoguiFolder(stateDir)));
    return await runWithModule(env, { line, seconds, folder: await openFolder(), more });
  };
  app.on("POST", ["/execute", "/setup/execute"], async (c) => {
    const line = commandLine(await c.env.readJson());
    return c.json(succeeded(await run(c.env, line, EXECUTE_SECONDS)));
  });
  app.on(
    "POST",
    ["/execute_with_verification", "/setup/execute_with_verification"],
    (c) => executeAndVerify(c, run),
  );
  app.post("/setup/launch", async (c) => c.text(await launch(c)));
  app.post("/run_python", async (c) => {
    const code = readScript(await c.env.readJson(), "code", "Code not supplied!");
    // from the standard input: a script in the folder of temporary files would import what is there
    const result = await run(c.env, "python3 -", PYTHON_SECONDS, { stdin: code });
    return c.json(describePython(result));
  });
  app.post("/run_bash_script", (c) => runBash(c, run));
}

type Run = (
  env: Env,
  line: string,
  seconds: number,
  more?: CommandMore,
) => Promise<CommandResult>;

interface WithModule {
  readonly line: string;
  readonly seconds: number;
  readonly folder: string;
  readonly more: CommandMore | undefined;
}

/** Debian has no `python` besides `python3`, which its client calls so. */
const PYTHON = 'command -v python >/dev/null 2>&1 || python() { python3 "$@"; }';

/** The module and the token go by the environment; what the command writes never has the token. */
async function runWithModule(
  env: Env,
  { line, seconds, folder, more }: WithModule,
): Promise<CommandResult> {
  const { address, token } = env.service;
  const path = `PYTHONPATH=${quoteForShell(folder)}"\${PYTHONPATH:+:$PYTHONPATH}"`;
  const variables = {
    COMPUTER_CONTROL_URL: address,
    ...(token === undefined ? {} : { COMPUTER_CONTROL_TOKEN: token }),
  };
  const result = await runBesides(
    env,
    `export ${path}\n${PYTHON}\n${line}`,
    seconds,
    { ...more, env: variables },
  );
  const hide = (text: string) => token === undefined ? text : text.replaceAll(token, "[redacted]");
  return { ...result, stdout: hide(result.stdout), stderr: hide(result.stderr) };
}

/**
 * Runs a command that gets nothing of this service.
 * @throws OperationFailure `timed_out` (500)
 */
export async function runBesides(
  { operations }: Pick<Env, "operations">,
  line: string,
  seconds: number,
  more: CommandMore = {},
): Promise<CommandResult> {
  const result = await runCommand(operations, line, seconds, more);
  if (!result.timedOut && result.exitCode !== null) return result;
  if (result.processId !== null) {
    const path = `/api/bash/process/${result.processId}`;
    await operations.send(path, { method: "DELETE" });
  }
  throw new OperationFailure(500, "timed_out", `Command timed out after ${seconds} seconds`);
}

// What is run, as Python's `subprocess` takes it.

/** @throws OperationFailure `invalid` (400) */
function commandLine({ command, shell = false }: Record<string, unknown>): string {
  const words = readWords(command, shell === true);
  if (words.length === 0) throw invalid("Command not supplied!");
  if (shell !== true) return words.map((word) => quoteAtHome(word)).join(" ");
  const [script, ...rest] = words;
  // what follows the text of the command is the name and the arguments of the shell
  return rest.length === 0
    ? script!
    : `/bin/sh -c ${quoteForShell(`${PYTHON}\n${script}`)} ${rest.map(quoteForShell).join(" ")}`;
}

function readWords(command: unknown, isShell: boolean): readonly string[] {
  if (typeof command === "string") {
    if (command.trim() === "") return [];
    return isShell ? [command] : splitWords(command);
  }
  if (!Array.isArray(command) || !command.every((word) => typeof word === "string")) {
    throw invalid("command should be a text or a list of texts");
  }
  return command;
}

/** As one word of a shell; only the `~` of `~/` has its meaning. */
export function quoteAtHome(word: string): string {
  return word.startsWith("~/") ? `"$HOME"${quoteForShell(word.slice(1))}` : quoteForShell(word);
}

/** The path with `~` in place of `$HOME`. */
export function homePath(path: string): string {
  return path.replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, "~");
}

function readScript(fields: Record<string, unknown>, name: string, missing: string): string {
  const script = fields[name];
  if (typeof script === "string" && script !== "") return script;
  throw invalid(missing);
}

function invalid(message: string): OperationFailure {
  return new OperationFailure(400, "invalid", message);
}

// What is answered.

function succeeded({ stdout, stderr, exitCode }: CommandResult) {
  return { status: "success", output: stdout, error: stderr, returncode: exitCode };
}

/** Waits until a window is open and a command succeeds, as far as both are asked for. */
async function executeAndVerify(c: CompatContext, run: Run): Promise<Response> {
  const fields = await c.env.readJson();
  const { verification, max_wait_time = 10, check_interval = 1 } = fields;
  const result = await run(c.env, commandLine(fields), EXECUTE_SECONDS);
  const answer = succeeded(result);
  if (!verification || Object.keys(verification).length === 0) return c.json(answer);
  const waitMs = Math.min(Number(max_wait_time) || 0, MAX_WAIT_SECONDS) * 1_000;
  const intervalMs = Math.max(Number(check_interval) || 0, MIN_INTERVAL_SECONDS) * 1_000;
  const began = performance.now();
  while (performance.now() - began < waitMs) {
    if (await isVerified(c.env, verification, run)) {
      const wait_time = (performance.now() - began) / 1_000;
      return c.json({ ...answer, verification: "passed", wait_time });
    }
    await pause(intervalMs, c.req.raw.signal);
  }
  const failed = { status: "verification_failed", verification: "failed" };
  return c.json({ ...answer, ...failed, wait_time: waitMs / 1_000 }, 500);
}

async function isVerified(
  env: Env,
  { window_exists, command_success }: Record<string, unknown>,
  run: Run,
): Promise<boolean> {
  if (typeof window_exists === "string") {
    const windows: readonly { title: string }[] = await env.operations.call("/api/window/list");
    const name = window_exists.toLowerCase();
    if (!windows.some(({ title }) => title.toLowerCase().includes(name))) return false;
  }
  if (typeof command_success !== "string") return true;
  try {
    return (await run(env, command_success, VERIFY_SECONDS)).exitCode === 0;
  } catch (error) {
    if (error instanceof OperationFailure && error.code === "timed_out") return false;
    throw error;
  }
}

const LAUNCH = 'command -v "$1" >/dev/null 2>&1 || exit 127; "$@" </dev/null >/dev/null 2>&1 &';

/** The program goes on without what it writes; it gets nothing of this service. */
async function launch(c: CompatContext): Promise<string> {
  const fields = await c.env.readJson();
  const line = commandLine(fields);
  const isShell = fields["shell"] === true;
  const program = isShell ? `/bin/sh -c ${quoteForShell(line)}` : line;
  const script = `${PYTHON}\n${LAUNCH}`;
  const starting = `/bin/sh -c ${quoteForShell(script)} sh ${program}`;
  const { exitCode } = await runBesides(c.env, starting, LAUNCH_SECONDS);
  const { command } = fields;
  const text = Array.isArray(command) ? command.join(" ") : String(command);
  if (exitCode === 0) return `${text} launched successfully`;
  throw new OperationFailure(500, "not_found", `No such file or directory: ${text.slice(0, 200)}`);
}

/** Keeps the input of a command as a file without a name, which a descriptor leads to. */
const SAVED = 's=$(mktemp) && cat >"$s" && exec 5<"$s" </dev/null && rm -f "$s" || exit 125';
const SAVED_PATH = "/dev/fd/5";

function describePython({ stdout, stderr, exitCode }: CommandResult): object {
  const isFailed = exitCode !== 0;
  const error = isFailed && stderr === "" ? `Process exited with code ${exitCode}` : stderr;
  return {
    status: isFailed ? "error" : "success",
    message: [stdout, error].filter((text) => text !== "").join("\n"),
    need_more: false,
    output: stdout,
    error,
    return_code: exitCode,
  };
}

/** Answers what is wrong in `output`, where its client reads it. */
async function runBash(c: CompatContext, run: Run): Promise<Response> {
  try {
    const fields = await c.env.readJson();
    const script = readScript(fields, "script", "Script not supplied!");
    const { timeout = SCRIPT_SECONDS, working_dir } = fields;
    const seconds = Number(timeout);
    if (!(seconds > 0)) throw invalid("timeout should be a number greater than 0");
    const line = `${SAVED}; /bin/bash ${SAVED_PATH} 2>&1`;
    const cwd = typeof working_dir === "string" && working_dir !== "" ? { cwd: working_dir } : {};
    const result = await run(c.env, line, seconds, { stdin: `${PYTHON}\n${script}`, ...cwd });
    const { exitCode: returncode, stdout: output } = result;
    return c.json({
      status: returncode === 0 ? "success" : "error",
      output,
      error: "",
      returncode,
    });
  } catch (error) {
    if (!(error instanceof OperationFailure)) throw error;
    const answer = { status: "error", output: error.message, error: "", returncode: -1 };
    return c.json(answer, error.status as 400);
  }
}
