/** The connections of clients, found among the files of this process: a few system calls, however many there are. */

import {
  AF_INET,
  AF_INET6,
  F_GETFD,
  openSocketLibrary,
  POLL_BROKEN,
  POLLFD,
  POLLRDHUP,
  SOCKADDR,
  type SocketLibrary,
} from "../../../ffi/linux/sockets.ts";

/** Files get the lowest free number: behind so many free ones there is nothing. */
const MAX_GAP = 512;

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

  /** The file of the connection from this port of a client's, or nothing. */
  find(port: number): number | undefined {
    const { fcntl } = this.#library.symbols;
    for (let file = 0, gap = 0; gap < MAX_GAP; file++) {
      if (this.#peerPort(file) === port) return file;
      gap = fcntl(file, F_GETFD) === -1 ? gap + 1 : 0;
    }
    return undefined;
  }

  /** Whether the file still is the connection from this port, and the client has not closed it. */
  isOpen(file: number, port: number): boolean {
    if (this.#peerPort(file) !== port) return false;
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

  /** Nothing for what is no connection over a network. */
  #peerPort(file: number): number | undefined {
    this.#length[0] = SOCKADDR.bytes;
    if (this.#library.symbols.getpeername(file, this.#address, this.#length) !== 0) {
      return undefined;
    }
    const family = this.#address.getUint16(SOCKADDR.family, true);
    if (family !== AF_INET && family !== AF_INET6) return undefined;
    return this.#address.getUint16(SOCKADDR.port, false);
  }
}
