/** The names of all processes, as `ps` has them (proc(5)). */

import { SharedRun } from "../../core/shared_run.ts";

/** The kernel cuts names to this many bytes. */
const MAX_BYTES = 15;

export interface NamedProcess {
  readonly pid: number;
  readonly name: string;
}

/** One pass over `/proc` serves all callers that ask before it starts. */
export class ProcessNames {
  readonly #scans = new SharedRun(scan);

  /** Those that are alive, in the order of their ids. */
  list(): Promise<readonly NamedProcess[]> {
    return this.#scans.run();
  }
}

async function scan(): Promise<readonly NamedProcess[]> {
  const all: NamedProcess[] = [];
  for await (const { name: folder } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(folder)) continue;
    const name = await readName(folder);
    if (name !== undefined) all.push({ pid: Number(folder), name });
  }
  return all.sort((one, other) => one.pid - other.pid);
}

async function readName(pid: string): Promise<string | undefined> {
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    // the name can contain anything, including spaces and parentheses
    const end = stat.lastIndexOf(")");
    if (/^ [ZX]/.test(stat.slice(end + 1))) return undefined; // it has ended
    const name = stat.slice(stat.indexOf("(") + 1, end);
    if (new TextEncoder().encode(name).length < MAX_BYTES) return name;
    return await readWhole(pid, name);
  } catch {
    return undefined; // it ended during the look
  }
}

/** The first or, of a script, the second argument has the whole name of its program. */
async function readWhole(pid: string, name: string): Promise<string> {
  const line = await Deno.readTextFile(`/proc/${pid}/cmdline`).catch(() => "");
  const files = line.split("\0").slice(0, 2).map((each) => each.slice(each.lastIndexOf("/") + 1));
  return files.find((file) => file.startsWith(name)) ?? name;
}
