/** Distinguishes a process from a later one with the same process id. */

export interface ProcessIdentity {
  readonly pid: number;
  /** Its start time in clock ticks since boot, together with the id of that boot. */
  readonly startedAt: string;
}

/** Columns of `/proc/PID/stat`, counted from the one after the process name. */
const STATE = 0;
const PARENT = 1;
const STARTED_AT = 19;

/** `undefined` when no such process is alive; a zombie counts as ended. */
export function readIdentity(pid: number): ProcessIdentity | undefined {
  const columns = readStat(pid);
  if (columns === undefined || columns[STATE] === "Z" || columns[STATE] === "X") return undefined;
  return { pid, startedAt: `${columns[STARTED_AT]} ${bootId()}` };
}

/** Whether this process is alive, not another one that reuses its id. */
export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  return readIdentity(pid)?.startedAt === startedAt;
}

/** The id of the parent process; `undefined` when there is no such process. */
export function readParent(pid: number): number | undefined {
  const parent = Number(readStat(pid)?.[PARENT]);
  return Number.isInteger(parent) ? parent : undefined;
}

function readStat(pid: number): readonly string[] | undefined {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    // the process name can contain anything, including spaces and parentheses
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
