/**
 * Finds client connections among the file descriptors of this process, with a few system calls,
 * however many connections there are.
 */

import {
  AF_INET,
  AF_INET6,
  F_GETFD,
  IN6_ADDR,
  IN_ADDR,
  openSocketLibrary,
  POLL_BROKEN,
  POLLFD,
  POLLRDHUP,
  SOCKADDR,
  type SocketLibrary,
} from "../../../ffi/linux/sockets.ts";
import { formatAddress, keyOfEnd, type TcpEnd, type TcpEnds } from "../tcp_ends.ts";

/**
 * A new descriptor gets the lowest free number, so beyond this many free ones in a row something is
 * open only if many others were closed since; the system's list is read then.
 */
const MAX_GAP = 64;

type AskEnd = SocketLibrary["symbols"]["getpeername" | "getsockname"];

export class ClientSockets implements Disposable {
  readonly #library: SocketLibrary;
  readonly #address = new DataView(new ArrayBuffer(SOCKADDR.bytes));
  readonly #length = new Uint32Array(1);
  readonly #poll = new DataView(new ArrayBuffer(POLLFD.bytes));
  #closed = false;

  /** @throws when the system has no such library. */
  constructor() {
    this.#library = openSocketLibrary();
  }

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
  #isEnd(ask: AskEnd, file: number, end: TcpEnd): boolean {
    this.#length[0] = SOCKADDR.bytes;
    if (ask(file, this.#address, this.#length) !== 0) return false;
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
  try {
    return Array.from(Deno.readDirSync("/proc/self/fd"), ({ name }) => Number(name));
  } catch {
    return [];
  }
}
