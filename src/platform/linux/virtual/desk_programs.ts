/**
 * The programs of a desk: known by a variable that all of them get, and where one has written over its
 * variables, as Chromium does, or dropped them, by its folder or its parent.
 */

import { Buffer } from "node:buffer";
import { pause } from "../../../core/deadline.ts";
import { tryTo } from "../../../core/errors.ts";
import { EventLoopYielder } from "../../../core/event_loop_yielder.ts";
import { SharedRun } from "../../../core/shared_run.ts";
import { sendSignal } from "../../posix/process_table.ts";
import { readStat } from "../process/process_identity.ts";

/** Every program of a desk gets it: the folder of the desk, which no other one ever has. */
export const MARK = "COMPUTER_CONTROL_DESK";

/** Which programs. */
interface WantedPrograms {
  /** Of the desk. */
  readonly folder: string;
  /** This one is none: the window manager, which is started again when it ends. */
  readonly but?: number | undefined;
}

/** The programs that run on a desk now. */
export async function findPrograms(wanted: WantedPrograms): Promise<readonly Program[]> {
  return select(await looks.run(), wanted);
}

/** What was started while its parent was being killed is found by another look. */
const KILL_ROUNDS = 5;

/** Kills the programs of a desk, those that have left their session too. */
export async function endPrograms(wanted: WantedPrograms): Promise<void> {
  for (let round = 1; round <= KILL_ROUNDS; round++) {
    const all = await findPrograms(wanted);
    if (all.length === 0) return;
    for (const { pid } of all) sendSignal(pid, "SIGKILL");
    await pause(20 * round);
  }
}

interface Program {
  readonly pid: number;
  /** The memory that it has for itself, in bytes (proc(5)). */
  readonly bytes: number;
}

/** A process that can be a program of a desk. */
interface Candidate extends Program {
  /** The folder of its desk, as its variables say; absent where they cannot be read any more. */
  readonly folder?: string;
  /** Else these say where it comes from. */
  readonly cwd?: string | undefined;
  readonly parent?: number | undefined;
}

function select(all: readonly Candidate[], { folder, but }: WantedPrograms): readonly Program[] {
  const own = new Set<number>();
  const isOwn = ({ folder: named, cwd, parent }: Candidate) =>
    named === undefined
      ? cwd === folder || cwd?.startsWith(`${folder}/`) || own.has(parent!)
      : named === folder;
  for (let before = -1; own.size > before;) {
    before = own.size;
    for (const each of all) if (isOwn(each)) own.add(each.pid);
  }
  return all.filter(({ pid }) => own.has(pid) && pid !== but);
}

/** One look at all processes serves all desks that ask before it begins. */
const looks = new SharedRun(look);

/** Synchronous calls cost a hundredth of asynchronous ones here. */
async function look(): Promise<readonly Candidate[]> {
  const yielder = new EventLoopYielder();
  const room = Buffer.allocUnsafe(MAX_READ_BYTES);
  const all: Candidate[] = [];
  for (const pid of listProcesses()) {
    await yielder.yieldIfDue();
    const found = readCandidate(pid, room);
    if (found !== undefined) all.push(found);
  }
  return all;
}

function listProcesses(): readonly string[] {
  const names = Array.from(Deno.readDirSync("/proc"), ({ name }) => name);
  return names.filter((name) => /^\d/.test(name));
}

/** `undefined` for what is no program of a desk. */
function readCandidate(pid: string, room: Buffer): Candidate | undefined {
  const variables = readStart(`/proc/${pid}/environ`, room);
  if (variables !== undefined && areVariables(variables)) {
    const folder = readMark(variables);
    return folder === undefined ? undefined : { pid: Number(pid), folder, bytes: readBytes(pid) };
  }
  const stat = readStat(pid);
  if (stat === undefined || stat.hasEnded) return undefined;
  const bytes = readBytes(pid);
  return { pid: Number(pid), cwd: readFolder(pid), parent: stat.parent, bytes };
}

/** More than programs have for variables: whatever has long texts there takes no longer. */
const MAX_READ_BYTES = 256 * 1_024;

/** The beginning of a file, as much as there is room for; `undefined` where this user may not read it. */
function readStart(path: string, room: Buffer): Buffer | undefined {
  try {
    using file = Deno.openSync(path);
    let length = 0;
    while (length < room.length) {
      const count = file.readSync(room.subarray(length));
      if (count === null) break;
      length += count;
    }
    return room.subarray(0, length);
  } catch {
    return undefined;
  }
}

const SHOWN_BYTES = 256;

/** Whether it begins as variables do. */
function areVariables(bytes: Buffer): boolean {
  return /^[A-Za-z_]\w*=/.test(bytes.toString("latin1", 0, Math.min(SHOWN_BYTES, bytes.length)));
}

function readMark(variables: Buffer): string | undefined {
  const at = variables.indexOf(`${MARK}=`);
  if (at === -1 || at > 0 && variables[at - 1] !== 0) return undefined;
  const from = at + MARK.length + 1;
  return variables.toString("utf8", from, variables.indexOf(0, from));
}

const PAGE_BYTES = 4_096;

function readBytes(pid: string): number {
  const sizes = tryTo(() => Deno.readTextFileSync(`/proc/${pid}/statm`)) ?? ""; // it has ended
  const [, resident = 0, shared = 0] = sizes.split(" ").map(Number);
  return (resident - shared) * PAGE_BYTES;
}

function readFolder(pid: string): string | undefined {
  return tryTo(() => Deno.readLinkSync(`/proc/${pid}/cwd`)); // else of another user, or of the kernel
}
