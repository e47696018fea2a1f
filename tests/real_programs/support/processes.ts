/** Starts a real program in a session of its own and ends everything that it has started. */

import { isOnPath } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

export interface RealProcess extends AsyncDisposable {
  readonly pid: number;
  /** Whether it still runs. */
  running(): boolean;
  /** What it wrote on its standard error, for the message of a failure. */
  errors(): Promise<string>;
}

export interface ProcessOptions {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Standard error goes there. */
  readonly log: string;
  /** Standard output goes there; nowhere without it. */
  readonly output?: string;
}

export function startProcess(
  program: string,
  { args, env, log, output = "/dev/null" }: ProcessOptions,
): RealProcess {
  // at once: the shell would be waited for as long as the window of the program
  if (!isOnPath(program)) throw new Deno.errors.NotFound(`${program} is not installed`);
  const script = 'output="$1" log="$2"; shift 2; exec "$@" >"$output" 2>"$log"';
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", script, "sh", output, log, program, ...args],
    env: { ...env },
    clearEnv: true,
    detached: true, // the leader of a session of its own
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let ended = false;
  child.status.then(() => ended = true);
  return {
    pid: child.pid,
    running: () => !ended,
    errors: () => Deno.readTextFile(log).catch(() => ""),
    async [Symbol.asyncDispose]() {
      const members = processIds().filter((pid) => sessionOf(pid) === child.pid);
      for (const pid of members) signal(pid, "SIGKILL");
      await child.status;
      await waitFor(() => !processIds().some((pid) => sessionOf(pid) === child.pid), {
        what: `the end of every process of ${program}`,
      });
    },
  };
}

/** Ends one process and waits until it is gone. */
export async function endProcess(pid: number): Promise<void> {
  signal(pid, "SIGKILL");
  await waitFor(() => stateOf(pid) === undefined || stateOf(pid) === "Z", {
    what: `the end of process ${pid}`,
  });
}

export function processIds(): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter(Number.isInteger);
}

function signal(pid: number, name: Deno.Signal): void {
  try {
    Deno.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) && !(error instanceof TypeError)) throw error;
  }
}

/** The session of a living process; `undefined` for one that has ended. */
function sessionOf(pid: number): number | undefined {
  const stat = statOf(pid);
  return stat === undefined || stat[0] === "Z" ? undefined : Number(stat[3]);
}

/** The letter of its state, as in `ps`; `undefined` for one that has ended. */
export function stateOf(pid: number): string | undefined {
  return statOf(pid)?.[0];
}

/** The columns of `/proc/PID/stat` after the name: state, parent, group, session ... */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined; // it ended while we read
  }
}
