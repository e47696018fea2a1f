/**
 * A connection to a local X server that is read only on demand, without blocking and without the
 * event loop.
 */

import {
  AF_UNIX,
  type LocalSocketLibrary,
  MSG_DONTWAIT,
  POLLFD,
  POLLIN,
  SEND_FLAGS,
  SO_PEERCRED,
  SOCKADDR_UN,
  SOL_SOCKET,
  STREAM_TYPE,
} from "../../../../ffi/linux/local_sockets.ts";

export class PolledSocket implements Disposable {
  readonly #poll: Uint8Array<ArrayBuffer> = new Uint8Array(POLLFD.bytes);
  #closed = false;

  private constructor(
    private readonly libc: LocalSocketLibrary,
    private readonly file: number,
  ) {
    const poll = new DataView(this.#poll.buffer);
    poll.setInt32(POLLFD.fd, file, true);
    poll.setInt16(POLLFD.events, POLLIN, true);
  }

  /** `undefined` when no server accepts immediately. */
  static connect(libc: LocalSocketLibrary, path: string): PolledSocket | undefined {
    const file = libc.socket(AF_UNIX, STREAM_TYPE, 0);
    if (file < 0) return undefined;
    const socket = new PolledSocket(libc, file);
    const address = new Uint8Array(SOCKADDR_UN.path + SOCKADDR_UN.pathBytes);
    address[0] = AF_UNIX;
    new TextEncoder().encodeInto(path, address.subarray(SOCKADDR_UN.path, -1));
    if (libc.connect(file, address, address.length) === 0) return socket;
    socket[Symbol.dispose]();
    return undefined;
  }

  /** The process that listens at the other end, if its id is visible in this namespace. */
  get peer(): number | undefined {
    const credentials = new Int32Array(3);
    const length = Uint32Array.of(credentials.byteLength);
    const { libc, file } = this;
    if (libc.getsockopt(file, SOL_SOCKET, SO_PEERCRED, credentials, length) !== 0) return undefined;
    return credentials[0]! > 0 ? credentials[0] : undefined;
  }

  /** Whether no data is waiting and the connection is intact. */
  get isQuiet(): boolean {
    return !this.#closed && this.libc.poll(this.#poll, 1n, 0) === 0;
  }

  /** Sends bytes; returns whether the socket accepted all of them immediately. */
  send(bytes: Uint8Array<ArrayBuffer>): boolean {
    if (this.#closed) return false;
    return this.libc.send(this.file, bytes, BigInt(bytes.length), SEND_FLAGS) ===
      BigInt(bytes.length);
  }

  /**
   * Receives into `buffer` and returns the number of bytes; 0 when there are none or the connection
   * has ended.
   */
  receive(buffer: Uint8Array<ArrayBuffer>): number {
    if (this.#closed) return 0;
    const { libc, file } = this;
    return Math.max(0, Number(libc.recv(file, buffer, BigInt(buffer.length), MSG_DONTWAIT)));
  }

  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#closed = true;
    this.libc.close(this.file);
  }
}
