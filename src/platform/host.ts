/** Everything that detection can query, injected so that table tests can cover it. */

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tryTo } from "../core/errors.ts";
import { type Environment, environment } from "./environment.ts";

export interface Host {
  /** `linux`, `darwin`, `windows`, ... */
  readonly os: string;
  readonly env: Environment;
  /** The user id, or `null` on systems without one. */
  readonly uid: number | null;
  /** Whether a terminal is attached, so that a person can answer. */
  readonly isTerminal: boolean;
  exists(path: string): boolean;
  /** The path of a program, given by name or by path; `undefined` when it is not installed. */
  which(program: string): string | undefined;
  /** Runs a program to its end. */
  run(program: string, args: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** Asks a yes/no question on the terminal. */
  ask(question: string): boolean;
  /** Shows one line to the person who starts the service. */
  say(line: string): void;
}

export interface RunOptions {
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Connects the program to the terminal (for `sudo`); its output is not collected then. */
  readonly terminal?: boolean;
}

export interface RunResult {
  readonly code: number;
  /** Standard output and error, as text. */
  readonly output: string;
}

/** Only the main thread can ask. */
type Asking = { readonly confirm?: (question: string) => boolean };

/** The computer that the service runs on. */
export function thisHost(): Host {
  const env = environment();
  return {
    os: Deno.build.os,
    env,
    uid: Deno.uid(),
    isTerminal: Deno.stdin.isTerminal() && Deno.stderr.isTerminal(),
    exists: existsSync,
    which: (program) => findProgram(program, Deno.env.get("PATH") ?? ""), // "Path" on Windows
    run,
    ask: (question) => (globalThis as Asking).confirm?.(question) ?? false,
    say: (line) => console.error(line),
  };
}

export type Started = Readonly<ReturnType<typeof thisStart>>;

/** How this program was started, from the runtime. */
export function thisStart() {
  return {
    env: environment(),
    /** Whether `deno compile` made the program. */
    standalone: Deno.build.standalone,
    /** The program file: the executable, or Deno. */
    program: Deno.execPath(),
    /** The first script. */
    script: fileURLToPath(Deno.mainModule),
    deno: Deno.version.deno,
  };
}

function findProgram(program: string, path: string): string | undefined {
  const windows = Deno.build.os === "windows";
  const endings = windows ? [".exe", ".cmd", ".bat"] : [""];
  const hasEnding = windows && endings.includes(program.slice(-4).toLowerCase());
  const names = hasEnding ? [program] : endings.map((ending) => program + ending);
  if (/[\\/]/.test(windows ? program : program.replaceAll("\\", ""))) return names.find(isProgram);
  const folders = path.split(windows ? ";" : ":").filter((folder) => folder !== "");
  return folders.flatMap((folder) => names.map((name) => `${folder}/${name}`)).find(isProgram);
}

function isProgram(path: string): boolean {
  const info = tryTo(() => Deno.statSync(path));
  return info?.isFile === true && (info.mode === null || (info.mode & 0o111) !== 0);
}

async function run(
  program: string,
  args: readonly string[],
  { env = {}, terminal = false }: RunOptions = {},
): Promise<RunResult> {
  const io = terminal ? "inherit" : "piped";
  const command = new Deno.Command(program, {
    args: [...args],
    env,
    stdin: terminal ? "inherit" : "null",
    stdout: io,
    stderr: io,
  });
  if (terminal) return { code: (await command.spawn().status).code, output: "" };
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}
