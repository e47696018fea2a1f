/** Which process a number meant, and which processes an ended service left behind. */

import {
  ALARM_SYMBOLS,
  openLibc,
  PR_GET_DUMPABLE,
  PR_SET_CHILD_SUBREAPER,
  PR_SET_DUMPABLE,
  PRCTL_SYMBOLS,
  SUID_DUMP_DISABLE,
  WAIT_SYMBOLS,
  WNOHANG,
} from "../../../../ffi/linux/libc.ts";
import { tryTo } from "../../../core/errors.ts";

export interface ProcessIdentity {
  readonly pid: number;
  /** Its start time in clock ticks since boot, together with the id of that boot. */
  readonly startedAt: string;
}

/** `undefined` when no such process is alive; a zombie counts as ended. */
export function readIdentity(pid: number): ProcessIdentity | undefined {
  const stat = readStat(pid);
  if (stat === undefined || stat.hasEnded) return undefined;
  return {
    pid,
    startedAt: `${stat.startedAt} ${readText("/proc/sys/kernel/random/boot_id").trim()}`,
  };
}

/** Whether this process is alive, not another one that reuses its id. */
export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  return readIdentity(pid)?.startedAt === startedAt;
}

/** The id of the parent process; `undefined` when there is no such process. */
export function readParent(pid: number): number | undefined {
  return readStat(pid)?.parent;
}

/** `undefined` when there is no such process. */
export function readStat(pid: number | string): ReturnType<typeof parseStat> | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  return stat === "" ? undefined : parseStat(stat);
}

/** What `/proc/PID/stat` says (proc(5)). */
export function parseStat(stat: string) {
  // the process name can contain anything, including spaces and parentheses
  const end = stat.lastIndexOf(")");
  const columns = stat.slice(end + 2).split(" ");
  return {
    name: stat.slice(stat.indexOf("(") + 1, end),
    state: columns[0]!,
    hasEnded: columns[0] === "Z" || columns[0] === "X",
    parent: Number(columns[1]),
    group: Number(columns[2]),
    session: Number(columns[3]),
    /** In clock ticks since boot. */
    startedAt: columns[19]!,
  };
}

/** What `read` finds about each process; without those about which it finds nothing. */
export async function readProcesses<T>(
  read: (pid: string) => Promise<T | undefined>,
): Promise<T[]> {
  const all: T[] = [];
  for (const pid of listProcesses()) {
    const found = await read(pid);
    if (found !== undefined) all.push(found);
  }
  return all;
}

/** The ids of all processes. Synchronous calls cost a hundredth of asynchronous ones in `/proc`. */
export function listProcesses(): string[] {
  const names = Array.from(Deno.readDirSync("/proc"), ({ name }) => name);
  return names.filter((name) => /^\d+$/.test(name));
}

/** The kernel lists a child under the thread that started it, and an orphan under any thread. */
export function listChildren(pid: string): string[] {
  const threads = tryTo(() => [...Deno.readDirSync(`/proc/${pid}/task`)]) ?? []; // it has ended
  return threads
    .flatMap(({ name }) => readText(`/proc/${pid}/task/${name}/children`).split(" "))
    .filter((child) => /^\d+$/.test(child));
}

/** Empty where there is no such file, or no process any more. */
function readText(path: string): string {
  return tryTo(() => Deno.readTextFileSync(path)) ?? "";
}

// Reaps orphans, as the first process of a container must: ended processes whose parents ended
// before them. The runtime reaps the children of the service immediately, because it needs their
// exit codes. A zombie that is still there after several polls is therefore an orphan.

const POLL_INTERVAL_MS = 1_000;
/** A child that was seen as a zombie in this many polls is an orphan. */
const ORPHAN_SIGHTINGS = 3;

/** @throws Error when the system lacks these calls. */
export function collectOrphans(): Disposable {
  adoptOrphans();
  const library = openLibc(WAIT_SYMBOLS);
  let seen = new Map<number, number>();
  const timer = setInterval(() => {
    const now = new Map<number, number>();
    const ended = listChildren("self").filter((child) => readStat(child)?.state === "Z");
    for (const pid of ended.map(Number)) {
      const sightings = (seen.get(pid) ?? 0) + 1;
      if (sightings >= ORPHAN_SIGHTINGS) library.symbols.waitpid(pid, null, WNOHANG);
      else now.set(pid, sightings);
    }
    seen = now;
  }, POLL_INTERVAL_MS);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      library.close();
    },
  };
}

/** Makes orphans children of the service when it is not process 1 itself. */
function adoptOrphans(): void {
  if (Deno.pid === 1) return;
  if (prctl(PR_SET_CHILD_SUBREAPER, 1n) !== 0) throw new Error("the system refuses it");
}

// Protects the memory of the service from other processes of its user.

/**
 * From now on only root can read `/proc/PID/environ`, `mem` and `fd` of the service, attach to it
 * or get a core dump. This matters because the commands that it runs have the rights of its user,
 * and its initial environment contained the token. Processes that it starts are not affected:
 * `exec` clears the setting.
 * @throws Error when the system has no such call.
 */
export function makeMemoryPrivate(): void {
  if (prctl(PR_SET_DUMPABLE, SUID_DUMP_DISABLE) !== 0) throw new Error("the system refuses it");
}

/** Whether only root can look into this process. */
export function isMemoryPrivate(): boolean {
  return prctl(PR_GET_DUMPABLE) === 0;
}

/** Reads or changes a setting of this process. @throws Error when the system has no such call. */
export function prctl(option: number, value = 0n): number {
  const library = openLibc(PRCTL_SYMBOLS);
  try {
    return library.symbols.prctl(option, value, 0n, 0n, 0n);
  } finally {
    library.close();
  }
}

/**
 * The kernel ends this process after these seconds, by SIGALRM, which nothing here handles: even
 * when its main thread never runs again. Replaces what an earlier call has asked for.
 * @throws Error when the system has no such call.
 */
export function endAfter(seconds: number): void {
  const library = openLibc(ALARM_SYMBOLS);
  try {
    library.symbols.alarm(seconds);
  } finally {
    library.close();
  }
}
