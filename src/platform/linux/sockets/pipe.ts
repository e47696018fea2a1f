/**
 * A pipe through which another program sends bytes. Nothing blocks the thread: waiting happens in a
 * thread of the runtime's pool.
 */

import {
  F_SETFL,
  F_SETPIPE_SZ,
  type MessageSocketLibrary,
  O_NONBLOCK,
  PIPE_FLAGS,
  POLLIN,
  POLLOUT,
} from "../../../../ffi/linux/sockets.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Parts } from "../../types/mod.ts";
import { mayGoOn, messageSocketLibrary, pollFile } from "./message_socket.ts";

/** The most that a normal user may ask for; fewer waits for a large picture. */
const CAPACITY = 1024 * 1024;
const PART_BYTES = 64 * 1024;
/** The longest wait in one call; a thread that is stopped waits for the calls under way. */
const POLL_TIMEOUT_MS = 500;

interface PipeOptions {
  /** How long the other program may do nothing, in milliseconds. */
  readonly idleMs: number;
  readonly signal?: AbortSignal | undefined;
}

export class Pipe implements Disposable {
  #reading: number | undefined;
  #writing: number | undefined;

  private constructor(
    private readonly libc: MessageSocketLibrary,
    reading: number,
    writing?: number,
  ) {
    this.#reading = reading;
    this.#writing = writing;
  }

  /** @throws ServiceError `unavailable` */
  static open(libc = messageSocketLibrary()): Pipe {
    const ends = new Int32Array(2);
    if (libc.pipe2(new Uint8Array(ends.buffer), PIPE_FLAGS) !== 0) {
      throw new ServiceError("unavailable", "No more files can be opened now: try again");
    }
    libc.fcntl(ends[0]!, F_SETPIPE_SZ, CAPACITY); // where it is refused, the pipe is smaller
    return new Pipe(libc, ends[0]!, ends[1]!);
  }

  /** The end for reading of a pipe that another program has sent; it then belongs to this one. */
  static adopt(file: number): Pipe {
    const libc = messageSocketLibrary();
    libc.fcntl(file, F_SETFL, O_NONBLOCK);
    return new Pipe(libc, file);
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
   * Reads until the other program closes its end.
   * @throws ServiceError `timed_out`, `unavailable`; `too_large` beyond `maxBytes`
   */
  async readParts(maxBytes: number, options: PipeOptions): Promise<Parts> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (let size = 0; size <= maxBytes;) {
      const part = new Uint8Array(Math.min(PART_BYTES, maxBytes + 1 - size));
      const count = await this.read(part, options);
      if (count > 0) parts.push(part.subarray(0, count));
      size += count;
      if (count < part.length) return parts;
    }
    throw new ServiceError("too_large", `More than ${maxBytes} bytes arrived through a pipe`);
  }

  /**
   * Fills `bytes`; returns how many came before the other program closed its end.
   * @throws ServiceError `timed_out` when it sends nothing for too long; `unavailable` when the
   * system cannot read it
   */
  async read(bytes: Uint8Array<ArrayBuffer>, options: PipeOptions): Promise<number> {
    const file = this.#reading!;
    let done = 0;
    while (done < bytes.length) {
      await awaitReady({ file, events: POLLIN }, options);
      const part = bytes.subarray(done, done + CAPACITY);
      const count = Number(this.libc.read(file, part, BigInt(part.length)));
      if (count === 0) break;
      if (count < 0 && !mayGoOn(this.libc)) {
        throw new ServiceError("unavailable", "Cannot read a pipe: the system refuses it");
      }
      done += Math.max(0, count);
    }
    return done;
  }

  [Symbol.dispose](): void {
    this.closeWriting();
    if (this.#reading !== undefined) this.libc.close(this.#reading);
    this.#reading = undefined;
  }
}

/**
 * Reads all bytes from the end of a pipe that another program has sent, and closes it.
 * @throws ServiceError `timed_out`, `unavailable`; `too_large` beyond `maxBytes`
 */
export async function readAndClose(
  file: number,
  maxBytes: number,
  options: PipeOptions,
): Promise<Parts> {
  using pipe = Pipe.adopt(file);
  return await pipe.readParts(maxBytes, options);
}

/**
 * Writes all bytes into the end of a pipe that another program has sent, and closes it; returns
 * whether the other program has taken them.
 */
export async function writeAndClose(
  file: number,
  parts: Parts,
  options: PipeOptions,
): Promise<boolean> {
  const libc = messageSocketLibrary();
  libc.fcntl(file, F_SETFL, O_NONBLOCK);
  try {
    for (const bytes of parts) {
      for (let done = 0; done < bytes.length;) {
        await awaitReady({ file, events: POLLOUT }, options);
        const part = bytes.subarray(done, done + CAPACITY);
        const count = Number(libc.write(file, part, BigInt(part.length)));
        if (count < 0 && !mayGoOn(libc)) return false;
        done += Math.max(0, count);
      }
    }
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false; // it reads no more
    throw error;
  } finally {
    libc.close(file);
  }
}

/** @throws ServiceError `timed_out` */
async function awaitReady(
  awaited: { readonly file: number; readonly events: number },
  { idleMs, signal }: PipeOptions,
): Promise<void> {
  for (let leftMs = idleMs; leftMs > 0; leftMs -= POLL_TIMEOUT_MS) {
    signal?.throwIfAborted();
    if (await pollFile(awaited, Math.min(POLL_TIMEOUT_MS, leftMs))) return;
  }
  throw new ServiceError("timed_out", `No data passed through a pipe within ${idleMs} ms`);
}
