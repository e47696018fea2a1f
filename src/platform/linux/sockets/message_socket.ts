/**
 * A local stream socket that passes descriptors, as Wayland and D-Bus need it. Nothing blocks the
 * thread: waiting happens in a thread of the runtime's pool.
 */

import { openLibc } from "../../../../ffi/linux/libc.ts";
import {
  AF_UNIX,
  CMSGHDR,
  ERRNO,
  F_DUPFD_CLOEXEC,
  IOVEC,
  MESSAGE_SOCKETS_SYMBOLS,
  type MessageSocketLibrary,
  MSG_CMSG_CLOEXEC,
  MSG_CTRUNC,
  MSG_NOSIGNAL,
  MSGHDR,
  POLLFD,
  POLLIN,
  POLLOUT,
  readErrno,
  SCM_MAX_FD,
  SCM_RIGHTS,
  SHUT_RDWR,
  SOCKADDR_UN,
  SOL_SOCKET,
  STREAM_TYPE,
} from "../../../../ffi/linux/sockets.ts";
import { keepAlive, memory, pointerAddress } from "../../../../ffi/memory.ts";
import { roundUp } from "../../../core/bytes.ts";

/** The most bytes per {@link MessageSocket.receive}. */
const RECEIVE_BYTES = 64 * 1024;
/** Bytes that may wait for a peer that does not read; with more, the connection is given up. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/**
 * The longest wait in one call. A wait is renewed until the socket is closed; its end matters to a
 * thread that is stopped meanwhile, because that waits for the calls under way.
 */
const POLL_TIMEOUT_MS = 1_000;

interface Received {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Descriptors, which the receiver must close. */
  readonly files: number[];
}

interface QueuedMessage {
  bytes: Uint8Array<ArrayBuffer>;
  /** Duplicates, which the socket closes. */
  files: number[];
  readonly sent: PromiseWithResolvers<void>;
}

export class MessageSocket implements Disposable {
  readonly #incoming = new Uint8Array(RECEIVE_BYTES);
  readonly #receiving = new MessageHeader();
  readonly #sending = new MessageHeader();
  readonly #queue: QueuedMessage[] = [];
  #waitingBytes = 0;
  /** Calls of `poll` under way; the descriptor stays open until they have ended. */
  #polls = 0;
  #isClosed = false;
  readonly #released = Promise.withResolvers<void>();
  /** Resolves when its descriptor is closed, soon after its end: that of a thread closes none. */
  readonly released = this.#released.promise;
  private readonly libc = messageSocketLibrary();

  private constructor(private readonly file: number) {}

  /**
   * @param address a path, or the name of an abstract socket with "@" before it
   * @throws SocketError
   */
  static connect(address: string): MessageSocket {
    return new MessageSocket(connectFile(address));
  }

  /** A socket for a descriptor that is connected and does not block; it now belongs to the socket. */
  static adopt(file: number): MessageSocket {
    return new MessageSocket(file);
  }

  /**
   * Sends bytes in order; returns a promise only if the peer does not take them at once. The
   * descriptors stay the caller's, who may close them as soon as this returns.
   * @throws SocketError when the connection has ended, or too much waits for the peer
   */
  send(bytes: Uint8Array<ArrayBuffer>, files: readonly number[] = []): void | Promise<void> {
    if (this.#isClosed) throw closedError();
    if (files.length > SCM_MAX_FD) throw new RangeError("Too many descriptors for one message");
    const sent = this.#queue.length === 0 ? this.#sendSome(bytes, files) : 0;
    if (sent === bytes.length) return;
    return this.#enqueue(bytes.subarray(sent), sent > 0 ? [] : files);
  }

  /**
   * Waits for the next bytes, at most 64 KiB; one call at a time.
   * @throws SocketError when the connection has ended, or is closed meanwhile
   */
  async receive(): Promise<Received> {
    while (true) {
      await this.arrival();
      const received = this.receiveArrived();
      if (received !== undefined) return received;
    }
  }

  /**
   * Resolves when something can be received, or could until now.
   * @throws SocketError when the connection is closed
   */
  async arrival(): Promise<void> {
    await this.#poll(POLLIN);
  }

  /**
   * What has arrived, at most 64 KiB; `undefined` if there is nothing.
   * @throws SocketError when the connection has ended
   */
  receiveArrived(): Received | undefined {
    if (this.#isClosed) throw closedError();
    const header = this.#receiving;
    header.clear(this.#incoming);
    const count = Number(this.libc.recvmsg(this.file, header.header, MSG_CMSG_CLOEXEC));
    if (count < 0 && mayGoOn(this.libc)) return undefined;
    if (count <= 0) throw lostError();
    const files = header.files();
    if (header.hasLostFiles) {
      this.#closeFiles(files);
      throw new SocketError("no more descriptors can be received");
    }
    return { bytes: this.#incoming.slice(0, count), files };
  }

  /** Ends the connection, and with it a pending {@link receive}. */
  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.libc.shutdown(this.file, SHUT_RDWR); // wakes the calls of `poll`
    for (const waiting of this.#queue.splice(0)) {
      this.#closeFiles(waiting.files);
      waiting.sent.reject(closedError());
    }
    this.#closeUnused();
  }

  /** The number of bytes that the peer takes now. */
  #sendSome(bytes: Uint8Array<ArrayBuffer>, files: readonly number[]): number {
    this.#sending.fill(bytes, files);
    const sent = Number(this.libc.sendmsg(this.file, this.#sending.header, MSG_NOSIGNAL));
    if (sent >= 0) return sent;
    if (mayGoOn(this.libc)) return 0;
    throw lostError();
  }

  #enqueue(bytes: Uint8Array<ArrayBuffer>, files: readonly number[]): Promise<void> {
    if (this.#waitingBytes + bytes.length > MAX_WAITING_BYTES) {
      throw new SocketError("the program at the other end has stopped reading");
    }
    const duplicates = files.map((file) => this.libc.fcntl(file, F_DUPFD_CLOEXEC, 0));
    if (duplicates.some((file) => file < 0)) {
      this.#closeFiles(duplicates);
      throw new SocketError("no more descriptors can be opened");
    }
    const waiting = {
      bytes: bytes.slice(),
      files: duplicates,
      sent: Promise.withResolvers<void>(),
    };
    waiting.sent.promise.catch(() => {}); // the caller need not wait for it
    this.#waitingBytes += bytes.length;
    if (this.#queue.push(waiting) === 1) this.#sendQueue();
    return waiting.sent.promise;
  }

  async #sendQueue(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        await this.#poll(POLLOUT);
        const first = this.#queue[0]!;
        const sent = this.#sendSome(first.bytes, first.files);
        this.#waitingBytes -= sent;
        if (sent > 0) this.#closeFiles(first.files.splice(0));
        first.bytes = first.bytes.subarray(sent);
        if (first.bytes.length === 0) this.#queue.shift()!.sent.resolve();
      }
    } catch {
      this[Symbol.dispose](); // rejects what still waits
    }
  }

  /** Waits until the socket is ready for `events`. @throws SocketError when it is closed. */
  async #poll(events: number): Promise<void> {
    for (let isReady = false; !isReady;) {
      if (this.#isClosed) throw closedError();
      this.#polls++;
      isReady = await pollFile({ file: this.file, events }, POLL_TIMEOUT_MS);
      this.#polls--;
      this.#closeUnused();
    }
    if (this.#isClosed) throw closedError();
  }

  #closeUnused(): void {
    if (!this.#isClosed || this.#polls > 0) return;
    this.libc.close(this.file);
    this.#released.resolve();
  }

  #closeFiles(files: readonly number[]): void {
    for (const file of files) if (file >= 0) this.libc.close(file);
  }
}

function lostError(): SocketError {
  return new SocketError("the program at the other end has closed the connection");
}

function closedError(): SocketError {
  return new SocketError("the connection is closed");
}

// The structures with which the kernel sends and receives bytes together with descriptors.

const CONTROL_BYTES = roundUp(CMSGHDR.data + 4 * SCM_MAX_FD, CMSGHDR.align);
const LITTLE = true;

/** One `struct msghdr` with the memory that it points to, which stays in place between calls. */
class MessageHeader {
  readonly header: Uint8Array<ArrayBuffer> = memory(MSGHDR.bytes);
  readonly #view = new DataView(this.header.buffer);
  readonly #vector = memory(IOVEC.bytes);
  readonly #vectorView = new DataView(this.#vector.buffer);
  readonly #control = memory(CONTROL_BYTES);
  readonly #controlView = new DataView(this.#control.buffer);

  constructor() {
    this.#view.setBigUint64(MSGHDR.iov, pointerAddress(this.#vector), LITTLE);
    this.#view.setBigUint64(MSGHDR.iovlen, 1n, LITTLE);
  }

  /** Prepares to send bytes with at most 253 descriptors. */
  fill(bytes: Uint8Array<ArrayBuffer>, files: readonly number[]): void {
    this.#pointTo(bytes);
    if (files.length === 0) return this.#setControl(0);
    const length = CMSGHDR.data + 4 * files.length;
    this.#controlView.setBigUint64(CMSGHDR.length, BigInt(length), LITTLE);
    this.#controlView.setInt32(CMSGHDR.level, SOL_SOCKET, LITTLE);
    this.#controlView.setInt32(CMSGHDR.type, SCM_RIGHTS, LITTLE);
    files.forEach((file, i) => this.#controlView.setInt32(CMSGHDR.data + 4 * i, file, LITTLE));
    this.#setControl(roundUp(length, CMSGHDR.align));
  }

  /** Prepares to receive into `bytes`, with as many descriptors as a message can have. */
  clear(bytes: Uint8Array<ArrayBuffer>): void {
    this.#pointTo(bytes);
    this.#setControl(CONTROL_BYTES);
  }

  /** Whether the kernel had to discard descriptors of the message received. */
  get hasLostFiles(): boolean {
    return (this.#view.getInt32(MSGHDR.flags, LITTLE) & MSG_CTRUNC) !== 0;
  }

  /** The descriptors received, which now belong to this process. */
  files(): number[] {
    const files: number[] = [];
    const view = this.#controlView;
    const end = Number(this.#view.getBigUint64(MSGHDR.controllen, LITTLE));
    for (let at = 0; at + CMSGHDR.data <= end;) {
      const length = Number(view.getBigUint64(at, LITTLE));
      if (length < CMSGHDR.data) break;
      const isRights = view.getInt32(at + CMSGHDR.level, LITTLE) === SOL_SOCKET &&
        view.getInt32(at + CMSGHDR.type, LITTLE) === SCM_RIGHTS;
      for (let each = CMSGHDR.data; isRights && each + 4 <= length; each += 4) {
        files.push(view.getInt32(at + each, LITTLE));
      }
      at += roundUp(length, CMSGHDR.align);
    }
    return files;
  }

  #pointTo(bytes: Uint8Array<ArrayBuffer>): void {
    this.#vectorView.setBigUint64(IOVEC.base, pointerAddress(bytes), LITTLE);
    this.#vectorView.setBigUint64(IOVEC.length, BigInt(bytes.length), LITTLE);
  }

  #setControl(length: number): void {
    const address = length === 0 ? 0n : pointerAddress(this.#control);
    this.#view.setBigUint64(MSGHDR.control, address, LITTLE);
    this.#view.setBigUint64(MSGHDR.controllen, BigInt(length), LITTLE);
    this.#view.setInt32(MSGHDR.flags, 0, LITTLE);
  }
}

// Why a local socket cannot be used.

export class SocketError extends Error {
  override readonly name = "SocketError";
}

/** @param path as the message names it */
function connectError(path: string, errno: number): SocketError {
  switch (errno) {
    case ERRNO.ENOENT:
    case ERRNO.ECONNREFUSED:
      return new SocketError(`no program listens at "${path}"`);
    case ERRNO.EACCES:
      return new SocketError(`this user may not connect to "${path}"`);
    case ERRNO.EAGAIN:
      return new SocketError(`the program at "${path}" accepts no more connections`);
    default:
      return new SocketError(`cannot connect to "${path}" (error ${errno})`);
  }
}

// Opens local stream sockets, as bare descriptors.

/**
 * Connects to a local socket.
 * @param address a path, or the name of an abstract socket with "@" before it
 * @returns a descriptor that does not block; the caller closes it
 * @throws SocketError
 */
export function connectFile(address: string): number {
  const libc = messageSocketLibrary();
  const bytes = encodeAddress(address);
  const file = libc.socket(AF_UNIX, STREAM_TYPE, 0);
  if (file < 0) throw connectError(address, readErrno(libc));
  if (libc.connect(file, bytes, bytes.length) === 0) return file;
  const errno = readErrno(libc);
  libc.close(file);
  throw connectError(address, errno);
}

/** `struct sockaddr_un`, as long as its address needs: the length counts for abstract sockets. */
function encodeAddress(address: string): Uint8Array<ArrayBuffer> {
  const path = new TextEncoder().encode(address);
  if (path.length >= SOCKADDR_UN.pathBytes || path.includes(0) || path.length === 0) {
    throw new SocketError(`"${address}" is not the address of a local socket`);
  }
  const isAbstract = address.startsWith("@");
  const bytes = new Uint8Array(SOCKADDR_UN.path + path.length + (isAbstract ? 0 : 1));
  bytes[0] = AF_UNIX;
  bytes.set(path, SOCKADDR_UN.path);
  if (isAbstract) bytes[SOCKADDR_UN.path] = 0;
  return bytes;
}

// The C library of this thread, opened at its first use.

let opened: MessageSocketLibrary | undefined;

/** @throws Error when there is no glibc. */
export function messageSocketLibrary(): MessageSocketLibrary {
  return opened ??= openLibc(MESSAGE_SOCKETS_SYMBOLS).symbols;
}

/** Closes a descriptor that was received or made. */
export function closeFile(file: number): void {
  messageSocketLibrary().close(file);
}

/** Waits in another thread; `false` when the time is up: what has failed, the next call reports. */
export async function pollFile(
  { file, events }: { readonly file: number; readonly events: number },
  timeoutMs: number,
): Promise<boolean> {
  const poll = new Uint8Array(POLLFD.bytes);
  const view = new DataView(poll.buffer);
  view.setInt32(POLLFD.fd, file, true);
  view.setInt16(POLLFD.events, events, true);
  const ready = await messageSocketLibrary().poll(poll, 1n, timeoutMs);
  keepAlive(poll);
  return ready !== 0;
}

/** Whether the last call failed only for now. */
export function mayGoOn(libc: MessageSocketLibrary): boolean {
  const errno = readErrno(libc);
  return errno === ERRNO.EAGAIN || errno === ERRNO.EINTR;
}
