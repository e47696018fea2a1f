/** Finds the living processes of a session in `/proc`. */

import { SharedRun } from "../../core/shared_run.ts";
import type { Member, ProcessTable } from "../posix/process_group.ts";

/** Columns of `/proc/PID/stat`, counted from the one after the process name. */
const STATE = 0;
const GROUP = 2;
const SESSION = 3;
const STARTED_AT = 19;

/** One pass over `/proc` serves all callers that ask before it starts. */
export class ProcTable implements ProcessTable {
  readonly #scans = new SharedRun(scanProc);

  async listMembers(session: number): Promise<readonly Member[]> {
    const all = await this.#scans.run();
    return all.filter((found) => found.session === session);
  }

  async isAlive({ pid, session, startedAt }: Member): Promise<boolean> {
    const found = await readProcess(String(pid));
    return found?.startedAt === startedAt && found.session === session;
  }
}

async function scanProc(): Promise<readonly Member[]> {
  const all: Member[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const found = await readProcess(name);
    if (found !== undefined) all.push(found);
  }
  return all;
}

/** The process if it is alive; a zombie is not. */
async function readProcess(pid: string): Promise<Member | undefined> {
  let stat: string;
  try {
    stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  } catch {
    return undefined; // it ended during the look
  }
  // the process name can contain anything, including spaces and parentheses
  const columns = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (columns[STATE] === "Z" || columns[STATE] === "X") return undefined;
  return {
    pid: Number(pid),
    group: Number(columns[GROUP]),
    session: Number(columns[SESSION]),
    startedAt: columns[STARTED_AT]!,
  };
}
