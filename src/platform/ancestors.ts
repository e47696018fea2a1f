/** The ancestors of this process: parent, grandparent, and so on. */

import { tryTo } from "../core/errors.ts";
import type { Host } from "./host.ts";
import { isAlive, readIdentity, readParent } from "./linux/process/process_identity.ts";
import { exists } from "./posix/process_table.ts";

export interface Ancestor {
  readonly pid: number;
  /** The command line; a single string for a process that has set its own title. */
  readonly args: readonly string[];
  /** Whether the process has ended since it was found. */
  isGone(): boolean;
}

/** A generous limit, which also stops at a cycle, as a reused pid could form. */
const MAX_ANCESTORS = 16;

/** Nearest first; empty on systems other than Linux and macOS. */
export async function findAncestors(host: Pick<Host, "os" | "run">): Promise<readonly Ancestor[]> {
  if (host.os === "linux") return linuxAncestors();
  if (host.os === "darwin") return await macosAncestors(host);
  return [];
}

function linuxAncestors(): Ancestor[] {
  const found: Ancestor[] = [];
  let pid: number | undefined = Deno.ppid;
  while (pid !== undefined && pid > 0 && found.length < MAX_ANCESTORS) {
    const identity = readIdentity(pid);
    if (identity === undefined) break;
    found.push({ pid, args: readCommandLine(pid), isGone: () => !isAlive(identity) });
    pid = readParent(pid);
  }
  return found;
}

function readCommandLine(pid: number): readonly string[] {
  const line = tryTo(() => Deno.readTextFileSync(`/proc/${pid}/cmdline`));
  return line?.replace(/[\0 ]+$/, "").split("\0") ?? [];
}

async function macosAncestors(host: Pick<Host, "run">): Promise<Ancestor[]> {
  const { output } = await host.run("ps", ["-axo", "pid=,ppid=,args="]);
  const lines = [...output.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)];
  const all = new Map(lines.map(([, pid, parent, args]) => [Number(pid), { parent, args }]));
  const found: Ancestor[] = [];
  let pid = Deno.ppid;
  while (all.has(pid) && found.length < MAX_ANCESTORS) {
    const { parent, args } = all.get(pid)!;
    const own = pid;
    found.push({ pid, args: args!.split(" "), isGone: () => !exists(own) });
    pid = Number(parent);
  }
  return found;
}
