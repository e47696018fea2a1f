/** Finds the process that holds a socket, as far as this user may know (proc(5)). */

import { tryTo } from "../../../core/errors.ts";
import { EventLoopYielder } from "../../../core/event_loop_yielder.ts";
import type { TcpEnd } from "../../tcp_ends.ts";
import { findTcpListener } from "./unix_stream.ts";

interface Holder {
  readonly pid: string;
  /** The name of its program, at most 15 bytes. */
  readonly program: string;
}

/** `SO_ACCEPTCON` among the flags of /proc/net/unix: it listens. */
const UNIX_LISTENS = "00010000";

/**
 * @param sockets as `/proc/PID/fd` shows them: `socket:[12345]`
 * @param pids the processes that come into question; all by default
 */
export async function findHolder(
  sockets: ReadonlySet<string>,
  pids: Iterable<string> = listProcesses(),
): Promise<Holder | undefined> {
  if (sockets.size === 0) return undefined;
  const yielder = new EventLoopYielder();
  for (const pid of pids) {
    await yielder.yieldIfDue();
    if (!await holds(pid, sockets, yielder)) continue;
    const program = await Deno.readTextFile(`/proc/${pid}/comm`).catch(() => "");
    return { pid, program: program.trim() };
  }
  return undefined;
}

function* listProcesses(): Generator<string> {
  for (const { name } of Deno.readDirSync("/proc")) if (/^\d+$/.test(name)) yield name;
}

/** The process that listens at a local socket. */
export async function findListener(path: string): Promise<Holder | undefined> {
  const table = await Deno.readTextFile("/proc/net/unix").catch(() => "");
  const lines = table.split("\n").map((line) => line.split(/\s+/));
  const listening = lines.filter(([, , , flags, , , , name]) =>
    flags === UNIX_LISTENS && name === path
  );
  return await findHolder(new Set(listening.map((columns) => `socket:[${columns[6]}]`)));
}

/**
 * Whether a stranger takes the connections to this end: another user or, where the files of the
 * process can be seen, another process. `false` where the system does not report it.
 */
export function isTakenByOther(at: TcpEnd, pid: number): boolean {
  const socket = findTcpListener(at);
  if (socket === undefined) return false;
  if (socket.uid !== Deno.uid()) return true;
  const files = [...openFiles(String(pid))];
  if (!files.some((each) => each !== "")) return false; // it protects its memory
  return !files.includes(`socket:[${socket.inode}]`);
}

async function holds(
  pid: string,
  sockets: ReadonlySet<string>,
  yielder: EventLoopYielder,
): Promise<boolean> {
  for (const target of openFiles(pid)) {
    if (sockets.has(target)) return true;
    await yielder.yieldIfDue();
  }
  return false;
}

/** Synchronous calls, which cost a hundredth of asynchronous ones here. */
function* openFiles(pid: string): Generator<string> {
  try {
    for (const { name } of Deno.readDirSync(`/proc/${pid}/fd`)) {
      yield readLink(`/proc/${pid}/fd/${name}`);
    }
  } catch {
    // another user's, or it has ended
  }
}

function readLink(path: string): string {
  return tryTo(() => Deno.readLinkSync(path)) ?? ""; // it was closed meanwhile
}

// Finds the process that listens on a TCP port.

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** `TCP_LISTEN` of the kernel's `tcp_states.h`. */
const TCP_LISTENS = "0A";

/** `process 123 (python3)`, or `undefined` when it is another user's. */
export async function findPortOwner(port: number): Promise<string | undefined> {
  const holder = await findHolder(new Set(await listeningSockets(port)));
  return holder && `process ${holder.pid} (${holder.program})`;
}

/** `socket:[12345]` for each socket that listens on the port. */
async function listeningSockets(port: number): Promise<string[]> {
  const tables = await Promise.all(TABLES.map((path) => Deno.readTextFile(path).catch(() => "")));
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return tables.join("\n").split("\n").map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(end) && state === TCP_LISTENS)
    .map((columns) => `socket:[${columns[9]}]`);
}
