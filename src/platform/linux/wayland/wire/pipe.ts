/**
 * A pipe through which another program sends bytes. Nothing blocks the thread: waiting happens in a
 * thread of the runtime's pool.
 */

import {
  ERRNO,
  type MessageSocketLibrary,
  PIPE_FLAGS,
  POLLFD,
  POLLIN,
  readErrno,
} from "../../../../../ffi/linux/message_sockets.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { messageSocketLibrary } from "./library.ts";

/** `F_SETPIPE_SZ` of fcntl.h. */
const F_SETPIPE_SZ = 1031;
/** The most that a normal user may ask for; fewer waits for a large picture. */
const CAPACITY = 1024 * 1024;
/** The longest wait in one call; a thread that is stopped waits for the calls under way. */
const POLL_MS = 500;

export interface ReadOptions {
  /** How long the other program may send nothing, in milliseconds. */
  readonly idleMs: number;
  readonly signal?: AbortSignal | undefined;
}

export class Pipe implements Disposable {
  #reading: number | undefined;
  #writing: number | undefined;

  private constructor(private readonly libc: MessageSocketLibrary, ends: Int32Array) {
    this.#reading = ends[0]!;
    this.#writing = ends[1]!;
  }

  /** @throws ServiceError `unavailable` */
  static open(libc = messageSocketLibrary()): Pipe {
    const ends = new Int32Array(2);
    if (libc.pipe2(new Uint8Array(ends.buffer), PIPE_FLAGS) !== 0) {
      throw new ServiceError("unavailable", "No more files can be opened now: try again");
    }
    libc.fcntl(ends[0]!, F_SETPIPE_SZ, CAPACITY); // where it is refused, the pipe is smaller
    return new Pipe(libc, ends);
  }

  /** The end to pass on, until {@link closeWriting}. */
  get writing(): number {
    return this.#writing!;
  }

  /** Closes this process's copy of the end that was passed on, so that its closing can be seen. */
  closeWriting(): void {
    if (this.#writing !== undefined) this.libc.close(this.#writing);
    this.#writing = undefined;
  }

  /**
   * Fills `bytes`; returns how many came before the other program closed its end.
   * @throws ServiceError `timed_out` when it sends nothing for too long
   */
  async read(bytes: Uint8Array<ArrayBuffer>, options: ReadOptions): Promise<number> {
    const file = this.#reading!;
    let done = 0;
    while (done < bytes.length) {
      await this.#awaitBytes(file, options);
      const rest = bytes.subarray(done, done + CAPACITY);
      const count = Number(this.libc.read(file, rest, BigInt(rest.length)));
      if (count === 0) break;
      if (count < 0 && readErrno(this.libc) !== ERRNO.EAGAIN) break;
      done += Math.max(0, count);
    }
    return done;
  }

  [Symbol.dispose](): void {
    this.closeWriting();
    if (this.#reading !== undefined) this.libc.close(this.#reading);
    this.#reading = undefined;
  }

  async #awaitBytes(file: number, { idleMs, signal }: ReadOptions): Promise<void> {
    const poll = new Uint8Array(POLLFD.bytes);
    const view = new DataView(poll.buffer);
    view.setInt32(POLLFD.fd, file, true);
    view.setInt16(POLLFD.events, POLLIN, true);
    for (let rest = idleMs; rest > 0; rest -= POLL_MS) {
      signal?.throwIfAborted();
      if (await this.libc.poll(poll, 1n, Math.min(POLL_MS, rest)) !== 0) return;
    }
    throw new ServiceError("timed_out", `Nothing has come through a pipe within ${idleMs} ms`);
  }
}
