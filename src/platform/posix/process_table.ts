/** Which processes run: by a signal that is never sent (kill(2) with 0), and by `ps`. */

import process from "node:process";
import { ServiceError } from "../../core/errors.ts";
import { SharedRun } from "../../core/shared_run.ts";
import { runHelper } from "../helper_program.ts";
import type { ProcessTable } from "../types/mod.ts";

const PS = "/bin/ps";
const PS_MS = 10_000;

/**
 * Whether some process has this id. Also true for one of another user, and for one that has ended
 * while its parent has not asked for its exit code.
 */
export function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

/** For systems that do not tell when a process was started: an id that is reused is not noticed. */
export function openProcessTable(): ProcessTable {
  const lists = new SharedRun(listProcesses);
  return {
    find: async (name) => findProcess(await lists.run(), name),
    follow: (pid) =>
      exists(pid) ? { isAlive: () => exists(pid), [Symbol.dispose]: () => {} } : undefined,
  };
}

/** `  312 S /usr/sbin/cfprefsd` for each process; macOS tells the whole path, Linux the name. */
async function listProcesses(): Promise<string> {
  const { stdout } = await runHelper({
    ...{ program: PS, args: ["-axo", "pid=,state=,comm="], timeoutMs: PS_MS },
    failure: (state, cause) =>
      new ServiceError("unavailable", `Cannot list processes: "${PS}" is ${state}`, { cause }),
  });
  return stdout;
}

/** The lowest id. */
function findProcess(list: string, name: string): number | undefined {
  const lines = [...list.matchAll(/^ *(\d+) +(\S+) +(.*)$/gm)];
  const found = lines.filter(([, , state, comm]) =>
    !state!.startsWith("Z") && comm!.slice(comm!.lastIndexOf("/") + 1).trimEnd() === name
  );
  return found.length === 0 ? undefined : Math.min(...found.map(([, pid]) => Number(pid)));
}
