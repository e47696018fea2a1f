/**
 * Detects clients that have closed their connection by examining the socket itself. Deno's HTTP
 * server reports a disconnected client only when the request arrived in one piece.
 */

import { openLibc } from "../../../../ffi/linux/libc.ts";
import {
  AF_INET,
  AF_INET6,
  F_GETFD,
  IN6_ADDR,
  IN_ADDR,
  POLL_BROKEN,
  POLLFD,
  POLLRDHUP,
  SOCKADDR,
  type SocketLibrary,
  SOCKETS_SYMBOLS,
} from "../../../../ffi/linux/sockets.ts";
import { tryTo } from "../../../core/errors.ts";
import { EventLoopYielder } from "../../../core/event_loop_yielder.ts";
import { addMember } from "../../../core/shared_run.ts";
import { recordedBrowsers } from "../../browser/browser_records.ts";
import { openCapability } from "../../capability.ts";
import { formatAddress, keyOfEnd, type TcpEnd, type TcpEnds } from "../../tcp_ends.ts";
import type { Capability, Peers } from "../../types/mod.ts";
import { listChildren } from "../process/process_identity.ts";
import { findHolder, findTcpSocket, formatPort, TCP_TABLES } from "./socket_holders.ts";

/**
 * Interval between polls. Each costs a few microseconds for each connection, so that it grows by
 * `perWatch` with their number: typing stops soon, and a thousand long polls cost little.
 */
const POLL_INTERVAL_MS = { least: 20, perWatch: 1, most: 200 };

interface Watch {
  readonly ends: TcpEnds;
  gone(): void;
  /** The descriptor of the connection, once it is known. */
  file: number | undefined;
}

export function openPeers(stateDirs: readonly string[]): Capability<LinuxPeers> {
  return openCapability(
    () => new LinuxPeers(new ClientSockets(), stateDirs),
    "The system's C library cannot be loaded",
  );
}

export class LinuxPeers implements Peers, Disposable {
  readonly #watches = new Set<Watch>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasFound = false;

  constructor(
    private readonly sockets: ClientSockets,
    private readonly stateDirs: readonly string[],
  ) {}

  /**
   * Whether a browser that is recorded in one of the state folders, or a process that it has started,
   * is the client. It is assumed of a client of this computer that has already left: nobody waits for
   * that answer.
   */
  async isOwnBrowser(ends: TcpEnds): Promise<boolean> {
    const browsers = recordedBrowsers(this.stateDirs);
    if (browsers.length === 0) return false;
    const inode = ends.local && findTcpSocket(ends.remote, ends.local);
    const sockets = inode === undefined ? await findSockets(ends) : new Set([`socket:[${inode}]`]);
    if (sockets.size === 0) return isThisComputer(ends);
    return await findHolder(sockets, await withDescendants(browsers)) !== undefined;
  }

  watch(ends: TcpEnds, gone: () => void): Disposable {
    const watch: Watch = { ends, gone, file: undefined };
    this.#timer ??= this.#pollLater();
    return addMember(this.#watches, watch);
  }

  [Symbol.dispose](): void {
    this.#watches.clear();
    clearTimeout(this.#timer);
    this.sockets[Symbol.dispose]();
  }

  /** One poll serves all watches; the timer stops when there are none. */
  #poll(): void {
    for (const watch of [...this.#watches]) {
      watch.file ??= this.sockets.find(watch.ends);
      this.#hasFound ||= watch.file !== undefined;
      if (watch.file !== undefined && this.sockets.isOpen(watch.file, watch.ends)) continue;
      this.#watches.delete(watch);
      // A client can leave before the first poll. That says nothing where no connection is found.
      if (this.#hasFound) watch.gone();
    }
    this.#timer = this.#watches.size === 0 ? undefined : this.#pollLater();
  }

  #pollLater(): ReturnType<typeof setTimeout> {
    const { least, perWatch, most } = POLL_INTERVAL_MS;
    const ms = Math.min(most, Math.max(least, perWatch * this.#watches.size));
    return setTimeout(() => this.#poll(), ms);
  }
}

// Recognises connections of browsers that a service of this user controls (proc(5)).

/**
 * The client's socket where the kernel does not know its ends, as behind a forwarded port: by its
 * ports alone. The full table of a busy computer takes a tenth of a second.
 */
async function findSockets({ remote, local }: TcpEnds): Promise<ReadonlySet<string>> {
  const there = local === undefined ? "[0-9A-F]{4}" : formatPort(local.port);
  const row = new RegExp(
    `: [0-9A-F]+:${formatPort(remote.port)} [0-9A-F]+:${there} (?:\\S+ +){6}(\\d+) `,
    "g",
  );
  for (const path of TCP_TABLES) {
    const table = await Deno.readTextFile(path).catch(() => "");
    const inodes = Array.from(table.matchAll(row), ([, inode]) => inode!);
    const open = inodes.filter((inode) => inode !== "0");
    if (open.length > 0) return new Set(open.map((inode) => `socket:[${inode}]`));
  }
  return new Set();
}

function isThisComputer({ remote, local }: TcpEnds): boolean {
  return remote.hostname === local?.hostname || /^(127\.|::1$|::ffff:127\.)/.test(remote.hostname);
}

/** The processes and all that they have started, as far as those still run. */
async function withDescendants(pids: readonly number[]): Promise<readonly string[]> {
  const yielder = new EventLoopYielder();
  const all = pids.map(String);
  for (const pid of all) {
    await yielder.yieldIfDue();
    all.push(...listChildren(pid)); // the loop sees what it adds
  }
  return all;
}

// Finds client connections among the file descriptors of this process, with a few system calls,
// however many connections there are.

/**
 * A new descriptor gets the lowest free number, so beyond this many free ones in a row something is
 * open only if many others were closed since; the system's list is read then.
 */
const MAX_GAP = 64;

type ReadEnd = SocketLibrary["symbols"]["getpeername" | "getsockname"];

export class ClientSockets implements Disposable {
  /** @throws when the system has no such library. */
  readonly #library: SocketLibrary = openLibc(SOCKETS_SYMBOLS);
  readonly #address = new DataView(new ArrayBuffer(SOCKADDR.bytes));
  readonly #length = new Uint32Array(1);
  readonly #poll = new DataView(new ArrayBuffer(POLLFD.bytes));
  #closed = false;

  /** The descriptor of the connection with these ends, or `undefined`. */
  find(ends: TcpEnds): number | undefined {
    const { fcntl } = this.#library.symbols;
    for (let file = 0, gap = 0; gap < MAX_GAP; file++) {
      if (this.#connects(file, ends)) return file;
      gap = fcntl(file, F_GETFD) === -1 ? gap + 1 : 0;
    }
    return listDescriptors().find((file) => this.#connects(file, ends));
  }

  /**
   * Whether the descriptor is still the connection with these ends, and the client has not closed
   * it.
   */
  isOpen(file: number, ends: TcpEnds): boolean {
    if (!this.#connects(file, ends)) return false;
    this.#poll.setInt32(POLLFD.fd, file, true);
    this.#poll.setInt16(POLLFD.events, POLLRDHUP, true);
    this.#poll.setInt16(POLLFD.revents, 0, true);
    this.#library.symbols.poll(this.#poll, 1n, 0);
    return (this.#poll.getInt16(POLLFD.revents, true) & (POLLRDHUP | POLL_BROKEN)) === 0;
  }

  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#library.close();
  }

  #connects(file: number, { remote, local }: TcpEnds): boolean {
    const { getpeername, getsockname } = this.#library.symbols;
    return this.#isEnd(getpeername, file, remote) &&
      (local === undefined || this.#isEnd(getsockname, file, local));
  }

  /** Compares the port first, which rules out most descriptors cheaply. */
  #isEnd(readEnd: ReadEnd, file: number, end: TcpEnd): boolean {
    this.#length[0] = SOCKADDR.bytes;
    if (readEnd(file, this.#address, this.#length) !== 0) return false;
    const family = this.#address.getUint16(SOCKADDR.family, true);
    if (family !== AF_INET && family !== AF_INET6) return false;
    const port = this.#address.getUint16(SOCKADDR.port, false);
    if (port !== end.port) return false;
    const { offset, bytes } = family === AF_INET ? IN_ADDR : IN6_ADDR;
    const hostname = formatAddress(new Uint8Array(this.#address.buffer, offset, bytes));
    return keyOfEnd({ hostname, port }) === keyOfEnd(end);
  }
}

/** The descriptors of this process; empty where none is free to read them: then no number is, either. */
function listDescriptors(): number[] {
  const entries = tryTo(() => [...Deno.readDirSync("/proc/self/fd")]) ?? [];
  return entries.map(({ name }) => Number(name));
}
