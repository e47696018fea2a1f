/** Which processes run, by `/proc`; each is known by the time at which it was started (proc(5)). */

import { existsSync } from "node:fs";
import { SharedRun } from "../../../core/shared_run.ts";
import { exists } from "../../posix/process_table.ts";
import type { ProcessTable } from "../../types/mod.ts";
import { isAlive, parseStat, readIdentity, readProcesses } from "./process_identity.ts";

export function openProcessTable(): ProcessTable {
  const scans = new SharedRun(scan); // one serves all callers that ask before it starts
  return {
    async find(name) {
      for (const each of await scans.run()) {
        if (each.names.has(name) || await runsScript(each, name)) return each.pid;
      }
      return undefined;
    },
    follow(pid) {
      const identity = readIdentity(pid);
      if (identity) return { isAlive: () => isAlive(identity), [Symbol.dispose]: () => {} };
      // /proc lists one that has ended, and can hide those of other users (mount option hidepid)
      if (existsSync(`/proc/${pid}`) || !exists(pid)) return undefined;
      return { isAlive: () => exists(pid), [Symbol.dispose]: () => {} };
    },
  };
}

// The names of all processes, as `ps` has them (proc(5)), and those of their programs.

/** The kernel cuts names to this many bytes. */
const MAX_BYTES = 15;
/** Of the arguments of a process, and of the first line of a script. */
const MAX_START_BYTES = 4_096;

interface NamedProcess {
  readonly pid: number;
  /** That of the kernel, which programs can overwrite, and the file names of its program. */
  readonly names: ReadonlySet<string>;
  /** As far as they are short. */
  readonly args: readonly string[];
}

/** The lowest id first. */
async function scan(): Promise<readonly NamedProcess[]> {
  return (await readProcesses(readNames)).sort((one, other) => one.pid - other.pid);
}

async function readNames(pid: string): Promise<NamedProcess | undefined> {
  try {
    const { name, hasEnded } = parseStat(await Deno.readTextFile(`/proc/${pid}/stat`));
    if (hasEnded) return undefined;
    const args = (await readStart(`/proc/${pid}/cmdline`)).split("\0");
    // that of another user cannot be read, and a thread of the kernel has none
    const program = await Deno.readLink(`/proc/${pid}/exe`).catch(() => "");
    const files = [args[0]!, program.replace(/ \(deleted\)$/, "")].map(fileName);
    return { pid: Number(pid), args, names: new Set([fullName(name, args), ...files]) };
  } catch {
    return undefined; // it ended meanwhile
  }
}

/** The first or, of a script, the second argument has the full name of its program. */
function fullName(name: string, args: readonly string[]): string {
  if (new TextEncoder().encode(name).length < MAX_BYTES) return name;
  return args.slice(0, 2).map(fileName).find((file) => file.startsWith(name)) ?? name;
}

/**
 * Whether a process is an interpreter that `env` has started for a script of this name: the kernel
 * names it like the interpreter.
 */
async function runsScript({ pid, args }: NamedProcess, name: string): Promise<boolean> {
  const [interpreter, ...others] = args;
  const script = others.find((arg) => !arg.startsWith("-"));
  if (script === undefined || fileName(script) !== name) return false;
  try {
    const path = script.startsWith("/") ? script : `/proc/${pid}/cwd/${script}`;
    if (!(await Deno.stat(path)).isFile) return false;
    const [first] = (await readStart(path)).split("\n", 1);
    return first!.startsWith("#!") &&
      first!.slice(2).split(/\s+/).some((word) => fileName(word) === fileName(interpreter!));
  } catch {
    return false; // it is a file no longer, or may not be read
  }
}

async function readStart(path: string): Promise<string> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(MAX_START_BYTES);
  return new TextDecoder().decode(bytes.subarray(0, await file.read(bytes) ?? 0));
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
