/** Finds the executable that a desktop may be asked to trust: one that runs our code alone. */

import { isAbsolute, join } from "node:path";
import { CommandError } from "../command_error.ts";
import type { GrantOptions } from "./grant_options.ts";

export interface Executable {
  /** The path that the system knows a process of it by: absolute, and without links. */
  readonly path: string;
  /** What is to be known about it: sentences. */
  readonly notes: readonly string[];
}

/**
 * What a path in the `Exec` line of a `.desktop` file cannot contain without being quoted, and KWin
 * 5 compares the line as it is written.
 */
const QUOTED = /[\s"'\\><~|&;$*?#()`%\p{Cc}]/u;

/**
 * @param given the value of `--executable`, if any
 * @throws CommandError with what to do instead
 */
export function findExecutable(given: string | undefined, options: GrantOptions): Executable {
  const { launch, started, cwd } = options;
  const path = resolve(given === undefined ? started.program : absolute(given, cwd));
  if (isShared(path, given, options)) throw isSharedError(path);
  if (QUOTED.test(path)) {
    throw new CommandError(
      `KWin does not recognize the executable "${path}", because its path would have to be quoted: ` +
        "move it to a path without spaces and quotes",
    );
  }
  const isCopyOfDeno = given === undefined && launch.unpacked !== undefined;
  return {
    path,
    notes: isCopyOfDeno
      ? ["Each version has an executable of its own: grant it again after an update."]
      : [],
  };
}

/** Whether programs that are not ours run by this executable, too. */
function isShared(
  path: string,
  given: string | undefined,
  { host, launch, started }: GrantOptions,
): boolean {
  const isOurs = started.standalone || launch.unpacked !== undefined;
  if (given === undefined && !isOurs) return true;
  if (path.includes("/node_modules/")) return true;
  const shared = host.which("deno");
  return shared !== undefined && isSameFile(shared, path);
}

function isSharedError(path: string): CommandError {
  return new CommandError(
    `"${path}" runs the programs of others, too, and all of them could then control the desktop; ` +
      'use an executable of this service alone: one made by "deno task compile", or downloaded, ' +
      "which can call this command by itself; or --executable <path>, which names it",
  );
}

function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? path : join(cwd, path);
}

/** @throws CommandError */
function resolve(path: string): string {
  try {
    const real = Deno.realPathSync(path);
    const { isFile, mode } = Deno.statSync(real);
    if (!isFile || ((mode ?? 0) & 0o111) === 0) throw new Error("it is not a program");
    return real;
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound
      ? "there is no such file"
      : (error as Error).message;
    throw new CommandError(`Cannot use the executable "${path}": ${reason}`);
  }
}

/** Whether both are the same file, under whichever names. */
function isSameFile(a: string, b: string): boolean {
  try {
    const [one, other] = [Deno.statSync(a), Deno.statSync(b)];
    return one.dev === other.dev && one.ino === other.ino;
  } catch {
    return false;
  }
}
