/**
 * The commands of OSWorld's interface, and what its client does to reach the screen with them:
 * scripts for `pyautogui`, whose module is one of ours that calls this service.
 */

import { join } from "node:path";
import { poll } from "../core/deadline.ts";
import { ServiceError, throwUnless } from "../core/errors.ts";
import { quoteForShell } from "../core/texts.ts";
import { openPrivateFolder } from "../platform/private_folder.ts";
import {
  type CompatApp,
  type CompatBindings,
  type CompatContext,
  invalid,
  OperationFailure,
  withFailures,
} from "./compat.ts";
import { type CommandMore, type CommandResult, runCommand, splitCommand } from "./run_command.ts";

/** The times that its server gives a command, in seconds. */
const EXECUTE_SECONDS = 120;
const PYTHON_SECONDS = 30;
const SCRIPT_SECONDS = 100;
const LAUNCH_SECONDS = 15;
const MAX_WAIT_SECONDS = 600;
const VERIFY_SECONDS = 5;
const MIN_INTERVAL_SECONDS = 0.1;
const SHOWN_LENGTH = 200;

/** What a client sends: each field is checked where it is read. */
export type Fields = Readonly<Record<string, unknown>>;

export function addCommands(app: CompatApp): void {
  app.on("POST", ["/execute", "/setup/execute"], async ({ env }) => {
    return Response.json(await execute(env, await env.readJson()));
  });
  app.post("/setup/execute_with_verification", executeAndVerify);
  app.post("/setup/launch", async (c) => c.text(await launch(c)));
  app.post("/run_python", async ({ env }) => {
    const code = readText(await env.readJson(), "code");
    // from the standard input: a script in the folder of temporary files would import what is there
    const result = await runWithModule(env, "python3 -", PYTHON_SECONDS, { stdin: code });
    return Response.json(describePython(result));
  });
  app.post("/run_bash_script", runBash);
}

/** Debian has no `python` besides `python3`, which its client calls so. */
const PYTHON = 'command -v python >/dev/null 2>&1 || python() { python3 "$@"; }';

/** The module and the token go by the environment. */
async function runWithModule(
  env: CompatBindings,
  line: string,
  seconds: number,
  more: CommandMore = {},
): Promise<CommandResult> {
  const { address, token, stateDir } = env.service;
  const folder = await withFailures(() => openPyautoguiFolder(stateDir));
  const path = `PYTHONPATH=${quoteForShell(folder)}"\${PYTHONPATH:+:$PYTHONPATH}"`;
  const variables = {
    COMPUTER_CONTROL_URL: address,
    ...(token === undefined ? {} : { COMPUTER_CONTROL_TOKEN: token }),
  };
  const script = `export ${path}\n${PYTHON}\n${line}`;
  return await runInTime(env, script, seconds, { ...more, env: variables });
}

/**
 * Runs a command that gets nothing of this service.
 * @throws OperationFailure `timed_out` (500)
 */
export async function runInTime(
  env: CompatBindings,
  line: string,
  seconds: number,
  more?: CommandMore,
): Promise<CommandResult> {
  const result = await runCommand(env, line, seconds, more);
  if (result.exitCode !== undefined) return result;
  const message = `Command timed out after ${result.seconds} seconds`;
  throw new OperationFailure(500, "timed_out", message);
}

// What is read of a request.

/** @throws OperationFailure `invalid` */
export function readText(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === "string" && value !== "") return value;
  throw invalid(`${name} is required`);
}

/** As a number, or the text of one. @throws OperationFailure `invalid` */
function readSeconds(fields: Fields, name: string, fallback: number): number {
  const sent = fields[name] ?? fallback;
  const seconds = typeof sent === "string" ? Number(sent) : sent;
  if (typeof seconds === "number" && seconds >= 0) return seconds;
  throw invalid(`${name} should be a number of seconds`);
}

/** As Python's `subprocess` takes a command. @throws OperationFailure `invalid` */
function commandLine({ command, shell }: Fields): string {
  const words = readWords(command, shell === true);
  if (words.length === 0) throw invalid("Command not supplied!");
  if (shell !== true) return words.map(quoteAtHome).join(" ");
  const [script, ...rest] = words;
  // what follows the text of the command is the name and the arguments of the shell
  return rest.length === 0
    ? script!
    : `/bin/sh -c ${quoteForShell(`${PYTHON}\n${script}`)} ${rest.map(quoteForShell).join(" ")}`;
}

function readWords(command: unknown, isShell: boolean): readonly string[] {
  if (typeof command === "string") {
    if (command.trim() === "") return [];
    return isShell ? [command] : splitCommand(command);
  }
  if (!Array.isArray(command) || !command.every((word) => typeof word === "string")) {
    throw invalid("command should be a text or a list of texts");
  }
  return command;
}

/** As one word of a shell; only the `~` of `~/` has its meaning. */
function quoteAtHome(word: string): string {
  return word.startsWith("~/") ? `"$HOME"${quoteForShell(word.slice(1))}` : quoteForShell(word);
}

// What is answered.

async function execute(env: CompatBindings, fields: Fields): Promise<object> {
  const seconds = readSeconds(fields, "timeout", EXECUTE_SECONDS);
  const { stdout, stderr, exitCode } = await runWithModule(env, commandLine(fields), seconds);
  return { status: "success", output: stdout, error: stderr, returncode: exitCode };
}

/** Waits until a window is open and a command succeeds, as far as both are asked for. */
async function executeAndVerify({ env, req }: CompatContext): Promise<Response> {
  const fields = await env.readJson();
  const verification: Fields = fields["verification"] ?? {};
  const wait = readSeconds(fields, "max_wait_time", 10);
  const interval = readSeconds(fields, "check_interval", 1);
  const answer = await execute(env, fields);
  if (Object.keys(verification).length === 0) return Response.json(answer);
  const began = performance.now();
  const isPassed = await poll(() => isVerified(env, verification), {
    everyMs: Math.min(Math.max(interval, MIN_INTERVAL_SECONDS), MAX_WAIT_SECONDS) * 1_000,
    timeoutMs: Math.min(wait, MAX_WAIT_SECONDS) * 1_000,
    signal: req.raw.signal,
  });
  const wait_time = (performance.now() - began) / 1_000;
  if (isPassed) return Response.json({ ...answer, verification: "passed", wait_time });
  const failed = { status: "verification_failed", verification: "failed", wait_time };
  return Response.json({ ...answer, ...failed }, { status: 500 });
}

async function isVerified(
  env: CompatBindings,
  { window_exists, command_success }: Fields,
): Promise<boolean> {
  if (typeof window_exists === "string") {
    const windows: readonly { title: string }[] = await env.operations.call("/api/window/list");
    const name = window_exists.toLowerCase();
    if (!windows.some(({ title }) => title.toLowerCase().includes(name))) return false;
  }
  if (typeof command_success !== "string") return true;
  const run = await runWithModule(env, command_success, VERIFY_SECONDS).catch(
    throwUnless((error) => error instanceof OperationFailure && error.code === "timed_out"),
  );
  return run?.exitCode === 0;
}

const LAUNCH = 'command -v "$1" >/dev/null 2>&1 || exit 127; "$@" </dev/null >/dev/null 2>&1 &';

/** The program goes on without what it writes; it gets nothing of this service. */
async function launch({ env }: CompatContext): Promise<string> {
  const fields = await env.readJson();
  const line = commandLine(fields);
  const isShell = fields["shell"] === true;
  const program = isShell ? `/bin/sh -c ${quoteForShell(`${PYTHON}\n${line}`)}` : line;
  const starting = `/bin/sh -c ${quoteForShell(`${PYTHON}\n${LAUNCH}`)} sh ${program}`;
  const { exitCode } = await runInTime(env, starting, LAUNCH_SECONDS);
  if (exitCode === 0) return "Launched successfully";
  const shown = JSON.stringify(fields["command"]).slice(0, SHOWN_LENGTH);
  throw new OperationFailure(500, "not_found", `No such file or directory: ${shown}`);
}

function describePython({ stdout, stderr, exitCode }: CommandResult): object {
  const isFailed = exitCode !== 0;
  const error = isFailed && stderr === "" ? `Process exited with code ${exitCode}` : stderr;
  const status = isFailed ? "error" : "success";
  const message = [stdout, error].filter((text) => text !== "").join("\n");
  return { status, message, need_more: false, output: stdout, error, return_code: exitCode };
}

/** Keeps the input of a command as a file without a name, which a descriptor leads to. */
const SAVED = 's=$(mktemp) && cat >"$s" && exec 5<"$s" </dev/null && rm -f "$s" || exit 125';
const SAVED_PATH = "/dev/fd/5";

async function runBash({ env }: CompatContext): Promise<Response> {
  const fields = await env.readJson();
  const script = readText(fields, "script");
  const seconds = readSeconds(fields, "timeout", SCRIPT_SECONDS);
  const { working_dir: cwd } = fields;
  const line = `${SAVED}; /bin/bash ${SAVED_PATH} 2>&1`;
  const { exitCode, stdout } = await runWithModule(env, line, seconds, {
    stdin: `${PYTHON}\n${script}`,
    ...(typeof cwd === "string" && cwd !== "" ? { cwd } : {}),
  });
  const status = exitCode === 0 ? "success" : "error";
  return Response.json({ status, output: stdout, error: "", returncode: exitCode });
}

// The module `pyautogui`, alone in a folder that scripts search before any other one.

const MODULE = "pyautogui.py";

/**
 * Writes the module, in place of that of another version, and returns its folder.
 * @throws ServiceError where the state folder cannot be used
 */
async function openPyautoguiFolder(stateDir: string): Promise<string> {
  const { default: text } = await import(
    "../../client/python/src/computer_control/pyautogui.py",
    { with: { type: "text" } }
  );
  const folder = await openPrivateFolder(join(stateDir, "python"), "folder of Python modules");
  const path = join(folder, MODULE);
  if (await Deno.readTextFile(path).catch(() => undefined) === text) return folder;
  const unfinished = join(folder, `.${crypto.randomUUID()}`);
  try {
    await Deno.writeTextFile(unfinished, text, { mode: 0o600, createNew: true });
    await Deno.rename(unfinished, path); // a script may be reading the older one
  } catch (cause) {
    await Deno.remove(unfinished).catch(() => {}); // free the space: the disk may be full
    const message = `Cannot write "${path}": ${(cause as Error).message}`;
    throw new ServiceError("unavailable", message, { cause });
  }
  return folder;
}
