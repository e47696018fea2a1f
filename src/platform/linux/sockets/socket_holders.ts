/** Finds the process that holds a socket, as far as this user may know (proc(5)). */

import { openLibc } from "../../../../ffi/linux/libc.ts";
import {
  AF_INET,
  AF_INET6,
  AF_NETLINK,
  INET_DIAG_MSG,
  INET_DIAG_REQ,
  MSG_DONTWAIT,
  NETLINK_SOCK_DIAG,
  NETLINK_SYMBOLS,
  NETLINK_TYPE,
  type NetlinkLibrary,
  NLM_F_REQUEST,
  NLMSGHDR,
  SOCK_DIAG_BY_FAMILY,
} from "../../../../ffi/linux/sockets.ts";
import { tryTo } from "../../../core/errors.ts";
import { EventLoopYielder } from "../../../core/event_loop_yielder.ts";
import { addressBytes, type TcpEnd } from "../../tcp_ends.ts";
import { listProcesses } from "../process/process_identity.ts";

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

/** The kernel's tables of TCP sockets (proc(5)). */
export const TCP_TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** `TCP_LISTEN` of the kernel's `tcp_states.h`. */
const TCP_LISTENS = "0A";

/** `process 123 (python3)`, or `undefined` when it is another user's. */
export async function findPortOwner(port: number): Promise<string | undefined> {
  const holder = await findHolder(new Set(await listeningSockets(port)));
  return holder && `process ${holder.pid} (${holder.program})`;
}

/** As the tables have it: `1F90`. */
export function formatPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}

/** `socket:[12345]` for each socket that listens on the port. */
async function listeningSockets(port: number): Promise<string[]> {
  const tables = await Promise.all(
    TCP_TABLES.map((path) => Deno.readTextFile(path).catch(() => "")),
  );
  const end = `:${formatPort(port)}`;
  return tables.join("\n").split("\n").map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(end) && state === TCP_LISTENS)
    .map((columns) => `socket:[${columns[9]}]`);
}

// Asks the kernel for the socket of a TCP connection by its two ends (sock_diag(7)).

const ANSWER_BYTES = 4096;

let libc: NetlinkLibrary | undefined;

/**
 * The inode of the socket that is connected from one end to the other, in some microseconds, however
 * many sockets there are. `undefined` where there is none, or the kernel does not report it.
 */
export function findTcpSocket(from: TcpEnd, to: TcpEnd): number | undefined {
  return querySocket(from, to)?.inode;
}

/** The socket that takes new connections to this end, and the user whose it is. */
function findTcpListener(at: TcpEnd): TcpSocket | undefined {
  const hostname = addressBytes(at.hostname).length === 4 ? "0.0.0.0" : "::";
  return querySocket(at, { hostname, port: 0 });
}

interface TcpSocket {
  readonly inode: number;
  readonly uid: number;
}

function querySocket(from: TcpEnd, to: TcpEnd): TcpSocket | undefined {
  libc ??= openLibc(NETLINK_SYMBOLS).symbols;
  const file = libc.socket(AF_NETLINK, NETLINK_TYPE, NETLINK_SOCK_DIAG);
  if (file < 0) return undefined;
  try {
    const request = makeRequest(from, to);
    libc.send(file, request, BigInt(request.length), 0);
    const answer = new Uint8Array(ANSWER_BYTES);
    const count = Number(libc.recv(file, answer, BigInt(ANSWER_BYTES), MSG_DONTWAIT));
    return readSocket(new DataView(answer.buffer, 0, Math.max(0, count)), to);
  } finally {
    libc.close(file);
  }
}

function makeRequest(from: TcpEnd, to: TcpEnd): Uint8Array<ArrayBuffer> {
  const request = new Uint8Array(NLMSGHDR.bytes + INET_DIAG_REQ.bytes);
  const view = new DataView(request.buffer);
  view.setUint32(NLMSGHDR.length, request.length, true);
  view.setUint16(NLMSGHDR.type, SOCK_DIAG_BY_FAMILY, true);
  view.setUint16(NLMSGHDR.flags, NLM_F_REQUEST, true);
  const [source, target] = [addressBytes(from.hostname), addressBytes(to.hostname)];
  const at = (field: number) => NLMSGHDR.bytes + field;
  view.setUint8(at(INET_DIAG_REQ.family), source.length === 4 ? AF_INET : AF_INET6);
  view.setUint8(at(INET_DIAG_REQ.protocol), INET_DIAG_REQ.tcp);
  view.setUint32(at(INET_DIAG_REQ.states), ~0 >>> 0, true);
  view.setUint16(at(INET_DIAG_REQ.sourcePort), from.port, false);
  view.setUint16(at(INET_DIAG_REQ.targetPort), to.port, false);
  request.set(source, at(INET_DIAG_REQ.source));
  request.set(target, at(INET_DIAG_REQ.target));
  request.fill(0xff, at(INET_DIAG_REQ.cookie)); // any
  return request;
}

/** A listener answers in place of a connection that is not there; it has no other end. */
function readSocket(answer: DataView, { port }: TcpEnd): TcpSocket | undefined {
  if (answer.byteLength < NLMSGHDR.bytes + INET_DIAG_MSG.bytes) return undefined;
  if (answer.getUint16(NLMSGHDR.type, true) !== SOCK_DIAG_BY_FAMILY) return undefined;
  const at = (field: number) => NLMSGHDR.bytes + field;
  if (answer.getUint16(at(INET_DIAG_MSG.targetPort), false) !== port) return undefined;
  const inode = answer.getUint32(at(INET_DIAG_MSG.inode), true);
  if (inode === 0) return undefined;
  return { inode, uid: answer.getUint32(at(INET_DIAG_MSG.uid), true) };
}
