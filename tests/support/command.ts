/** The program as a process whose exit code, output and signals matter. */

import type { Limits } from "../../src/config/limits.ts";
import { type LineReader, lineReader } from "./lines.ts";
import { ownPlaces } from "./own_places.ts";
import { copyProgram } from "./written_program.ts";

export interface RunningCommand extends AsyncDisposable {
  /** `http://127.0.0.1:34567`, without a name. */
  readonly address: string;
  readonly pid: number;
  post(path: string, body: unknown): Promise<Response>;
  readonly output: LineReader;
  readonly errors: LineReader;
  signal(signal: Deno.Signal): void;
  /** Kills it immediately, as a crash does. */
  kill(): Promise<void>;
  /** The exit code, when the program has ended. */
  readonly ended: Promise<number>;
}

export interface EndedCommand {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

const MAIN = new URL("../../main.ts", import.meta.url).href;

/** Starts the service on a free port, by another program if one is given, and waits for its banner. */
export async function startCommand(
  args: readonly string[],
  env: Environment = {},
  through: readonly string[] = [],
  deno = Deno.execPath(),
): Promise<RunningCommand> {
  return await start(env, (all) => commandOf(["--port", "0", ...args], all, { through, deno }));
}

/** The same with a watchdog, whose lines `stallsOf()` judges. */
export async function startWatched(
  args: readonly string[],
  env: Environment = {},
): Promise<RunningCommand> {
  const main = new URL("./watched_service.ts", import.meta.url).href;
  return await start(env, (all) => commandOf(["--port", "0", ...args], all, { main }));
}

/** The same with limits that differ. */
export async function startLimited(
  limits: Partial<Limits>,
  args: readonly string[],
): Promise<RunningCommand> {
  return await startWatched(args, { TEST_LIMITS: JSON.stringify(limits) });
}

async function start(
  env: Environment,
  commandIn: (env: Environment) => Deno.Command,
): Promise<RunningCommand> {
  const places = await ownPlaces();
  const child = commandIn({ ...places.env, ...env }).spawn();
  const output = lineReader(child.stdout);
  const errors = lineReader(child.stderr);
  const ended = child.status.then(({ code }) => code);
  const [, address] = await output.until(/^Address +(http:\/\/[^/\s]+)/)
    .catch(async (cause) => {
      const said = await errors.rest();
      await places[Symbol.asyncDispose]();
      throw new Error(`The service did not start: ${said}`, { cause });
    });
  await output.until(/^Found/);
  const headers = { "content-type": "application/json" };
  let isGone = false; // a test may kill it before its scope ends
  const end = async (signal: Deno.Signal) => {
    try {
      child.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended already
    }
    await ended;
    await Promise.all([output.rest(), errors.rest()]);
    if (!isGone) await places[Symbol.asyncDispose]();
    isGone = true;
  };
  return {
    address: address!,
    pid: child.pid,
    output,
    errors,
    ended,
    post: (path, body) =>
      fetch(address + path, { method: "POST", headers, body: JSON.stringify(body) }),
    signal: (signal) => child.kill(signal),
    kill: () => end("SIGKILL"),
    [Symbol.asyncDispose]: () => end("SIGTERM"),
  };
}

/** Runs the program to its end. */
export async function runCommand(
  args: readonly string[],
  env: Environment = {},
  deno = Deno.execPath(),
  through: readonly string[] = [],
): Promise<EndedCommand> {
  await using places = await ownPlaces();
  const command = commandOf(args, { ...places.env, ...env }, { through, deno });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/**
 * Another name for the Deno that runs the tests, in this folder. `npx deno task test` runs one from
 * npm's cache, from which no service may be installed.
 */
export async function linkDeno(folder: string): Promise<string> {
  const path = `${folder}/deno`;
  await Deno.link(Deno.execPath(), path)
    .catch(() => copyProgram(Deno.execPath(), path)); // on another file system
  return path;
}

interface CommandOptions {
  /** A program with arguments that starts it. */
  readonly through?: readonly string[];
  readonly deno?: string;
  readonly main?: string;
}

/** With these variables and nothing else that could change what is tested. */
function commandOf(
  args: readonly string[],
  env: Environment,
  { through = [], deno = Deno.execPath(), main = MAIN }: CommandOptions,
): Deno.Command {
  const [program, ...words] = [...through, deno, "run", "-A", main, ...args];
  return new Deno.Command(program!, {
    args: words,
    env,
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}
