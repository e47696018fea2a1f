/**
 * A local socket as a Node stream, over the runtime's own connection. The `node:net` of Deno 2.9.5
 * closes the descriptor of such a socket twice; by the second time the number can belong to another
 * file.
 */

import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import { openLibc } from "../../../../ffi/linux/libc.ts";
import {
  PIPE_SYMBOLS,
  type PipeLibrary,
  POLLERR,
  WRITE_FLAGS,
} from "../../../../ffi/linux/process.ts";
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
  POLLFD,
  SOCK_DIAG_BY_FAMILY,
} from "../../../../ffi/linux/sockets.ts";
import { writeAll } from "../../../core/bytes.ts";
import { tryTo } from "../../../core/errors.ts";
import type { Pipe } from "../../posix/input_pipe.ts";
import { addressBytes, type TcpEnd } from "../../tcp_ends.ts";

const READ_BYTES = 64 * 1024;

/** Starts to connect and emits "connect" or "error", as a socket of `node:net` does. */
export class UnixStream extends Duplex {
  /** Packages that receive a stream check this before they wait for "connect". */
  connecting = true;
  #connection: Deno.UnixConn | undefined;
  #isReading = false;
  readonly #bytes = new Uint8Array(READ_BYTES);

  constructor(path: string) {
    super({ allowHalfOpen: false });
    Deno.connect({ transport: "unix", path }).then(
      (connection) => this.#opened(connection),
      (error) => this.destroy(error),
    );
  }

  /** For packages that call it: a local socket never delays small writes. */
  setNoDelay(): this {
    return this;
  }

  override _read(): void {
    if (this.#connection !== undefined && !this.#isReading) this.#readOn(this.#connection);
  }

  override _write(bytes: Uint8Array, _encoding: string, done: (error?: Error) => void): void {
    if (this.#connection === undefined) {
      this.once("connect", () => this._write(bytes, _encoding, done));
      return;
    }
    writeAll(this.#connection, bytes).then(() => done(), done);
  }

  override _final(done: (error?: Error) => void): void {
    const closing = this.#connection?.closeWrite() ?? Promise.resolve();
    closing.then(() => done(), () => done()); // the other side has already closed
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.connecting = false;
    this.#connection?.close();
    this.#connection = undefined;
    done(error);
  }

  #opened(connection: Deno.UnixConn): void {
    if (this.destroyed) return connection.close();
    this.#connection = connection;
    this.connecting = false;
    this.emit("connect");
    if (!this.#isReading) this.#readOn(connection);
  }

  /** Reads until the consumer of this stream has enough or the connection ends. */
  async #readOn(connection: Deno.UnixConn): Promise<void> {
    this.#isReading = true;
    try {
      while (true) {
        const count = await connection.read(this.#bytes);
        if (this.destroyed) return;
        const goOn = this.push(count === null ? null : copy(this.#bytes, count));
        if (count === null || !goOn) return;
      }
    } catch (error) {
      this.destroy(error as Error); // no effect after our own close, which has destroyed it already
    } finally {
      this.#isReading = false;
    }
  }
}

/** Small copies share memory, which {@link Buffer.copyBytesFrom} never does. */
function copy(bytes: Uint8Array, count: number): Buffer {
  const copied = Buffer.allocUnsafe(count);
  copied.set(bytes.subarray(0, count));
  return copied;
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
export function findTcpListener(at: TcpEnd): TcpSocket | undefined {
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

// Opens a process's standard input pipe a second time, through `/proc`. The process must not
// redirect its input meanwhile, not even for a single command of a shell: `/proc` would then lead
// to another file.

let library: PipeLibrary | undefined;

/** `undefined` when there is no `/proc` or no such process. */
export function openInputPipe(pid: number): Pipe | undefined {
  library ??= tryTo(() => openLibc(PIPE_SYMBOLS));
  if (library === undefined) return undefined;
  const path = new TextEncoder().encode(`/proc/${pid}/fd/0\0`);
  const pipe = library.symbols.open(path, WRITE_FLAGS);
  return pipe < 0 ? undefined : new InputPipe(pipe, library.symbols);
}

class InputPipe implements Pipe {
  #open = true;

  constructor(private readonly pipe: number, private readonly c: PipeLibrary["symbols"]) {}

  write(bytes: Uint8Array<ArrayBuffer>): number {
    if (!this.#open) throw new Error("The pipe is closed");
    const written = Number(this.c.write(this.pipe, bytes, BigInt(bytes.length)));
    if (written >= 0) return written;
    if (this.#isBroken()) throw new Error("The pipe has no reader");
    return 0;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.c.close(this.pipe);
  }

  #isBroken(): boolean {
    const poll = new DataView(new ArrayBuffer(POLLFD.bytes));
    poll.setInt32(POLLFD.fd, this.pipe, true);
    const count = this.c.poll(new Uint8Array(poll.buffer), 1n, 0);
    return count > 0 && (poll.getInt16(POLLFD.revents, true) & POLLERR) !== 0;
  }
}
