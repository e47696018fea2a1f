/** Tells a process from a later one that got the same number. */

export interface ProcessIdentity {
  readonly pid: number;
  /** When it started: clock ticks since the system's start, and which start of the system that was. */
  readonly startedAt: string;
}

/** Columns of `/proc/PID/stat`, counted from the one after the name. */
const STATE = 0;
const PARENT = 1;
const STARTED_AT = 19;

/** `undefined` when no such process lives; one that has ended and waits for its parent does not. */
export function readIdentity(pid: number): ProcessIdentity | undefined {
  const columns = readStat(pid);
  if (columns === undefined || columns[STATE] === "Z" || columns[STATE] === "X") return undefined;
  return { pid, startedAt: `${columns[STARTED_AT]} ${bootId()}` };
}

/** Whether the process itself lives, and not another one with its number. */
export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  return readIdentity(pid)?.startedAt === startedAt;
}

/** The number of the parent; `undefined` when no such process is there. */
export function readParent(pid: number): number | undefined {
  const parent = Number(readStat(pid)?.[PARENT]);
  return Number.isInteger(parent) ? parent : undefined;
}

function readStat(pid: number): readonly string[] | undefined {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    // the name may hold anything, spaces and parentheses too
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

function bootId(): string {
  try {
    return Deno.readTextFileSync("/proc/sys/kernel/random/boot_id").trim();
  } catch {
    return "";
  }
}
