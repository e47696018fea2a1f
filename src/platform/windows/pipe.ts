/**
 * Named pipes to commands: our end is asynchronous, the other end is inherited. The pipes of the
 * runtime (`node:net` of Deno 2.9.5) end the whole process when a command ends at the moment in
 * which its output is read: https://github.com/tokio-rs/mio/issues/1819
 */

import { memory, wideText } from "../../../ffi/memory.ts";
import {
  FILE_FLAG_FIRST_PIPE_INSTANCE,
  FILE_FLAG_OVERLAPPED,
  FILE_READ_ATTRIBUTES,
  FILE_WRITE_ATTRIBUTES,
  GENERIC_READ,
  GENERIC_WRITE,
  type Handle,
  INVALID_HANDLE,
  PIPE_ACCESS_INBOUND,
  PIPE_ACCESS_OUTBOUND,
  PIPE_REJECT_REMOTE_CLIENTS,
} from "../../../ffi/windows/kernel32.ts";
import { IO_STATUS_BLOCK_BYTES, isFailed } from "../../../ffi/windows/ntdll.ts";
import type { CommandInput } from "../types/mod.ts";
import { openInherited } from "./create_process.ts";
import type { Win32 } from "./process_table.ts";

const BUFFER_BYTES = 64 * 1024;

/** Our end, with at most one read or write at a time. */
class PipeEnd {
  /** The end for the command, to be closed when it has been started. */
  readonly theirs: Handle;
  protected readonly buffer = memory(BUFFER_BYTES);
  readonly #name = `\\\\.\\pipe\\computer-control-${crypto.randomUUID()}`;
  readonly #handle: Handle;
  readonly #key: number;
  readonly #status = memory(IO_STATUS_BLOCK_BYTES);
  #pending: PromiseWithResolvers<number | undefined> | undefined;
  #closed = false;

  /** @throws Error when the system makes no pipe. */
  constructor(
    private readonly win32: Win32,
    access: { readonly our: number; readonly their: number },
  ) {
    const { kernel32, completions } = win32;
    const mode = access.our | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE;
    this.#handle = kernel32.CreateNamedPipeW(
      ...[wideText(this.#name), mode, PIPE_REJECT_REMOTE_CLIENTS, 1] as const,
      ...[BUFFER_BYTES, BUFFER_BYTES, 0, null] as const,
    );
    if (this.#handle === INVALID_HANDLE) throw new Error("Windows cannot create a pipe now");
    this.#key = completions.add({
      completed: ({ status, count }) => this.#complete(isFailed(status) ? undefined : count),
    });
    const key = BigInt(this.#key);
    if (kernel32.CreateIoCompletionPort(this.#handle, completions.port, key, 0) === 0n) {
      this.#release(); // nothing would receive its completions
      throw new Error("Windows cannot listen on a pipe that it has created");
    }
    const theirs = openInherited(kernel32, this.#name, { access: access.their, share: 0 });
    if (theirs === undefined) {
      this.#release();
      throw new Error("Windows cannot open a pipe that it has created");
    }
    this.theirs = theirs;
  }

  /**
   * Waits for a cancelled operation, because until it completes the system writes into our memory.
   * The command can still read everything that was written.
   */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#pending !== undefined) {
      this.win32.kernel32.CancelIoEx(this.#handle, null);
      await this.#pending.promise;
    }
    this.#release();
  }

  /** The number of bytes transferred; `undefined` when the pipe is closed or broken. */
  protected transfer(
    direction: "NtReadFile" | "NtWriteFile",
    length: number,
  ): Promise<number | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    const pending = Promise.withResolvers<number | undefined>();
    this.#pending = pending;
    const status = this.win32.ntdll[direction](
      ...[this.#handle, 0n, null, this.#status] as const, // a context requests a completion
      ...[this.#status, this.buffer, length, null, null] as const,
    );
    if (isFailed(status)) this.#complete(undefined);
    return pending.promise;
  }

  #complete(count: number | undefined): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve(count);
  }

  #release(): void {
    this.win32.completions.remove(this.#key);
    this.win32.kernel32.CloseHandle(this.#handle);
  }
}

export class OutputPipe extends PipeEnd {
  #ended = false;

  constructor(win32: Win32) {
    super(win32, { our: PIPE_ACCESS_INBOUND, their: GENERIC_WRITE | FILE_READ_ATTRIBUTES });
  }

  /** The next bytes, valid until the next call; `undefined` when the write end is closed. */
  async read(): Promise<Uint8Array | undefined> {
    while (!this.#ended) {
      const count = await this.transfer("NtReadFile", BUFFER_BYTES);
      if (count === undefined) this.#ended = true;
      // an empty write counts as a write too
      else if (count > 0) return this.buffer.subarray(0, count);
    }
    return undefined;
  }
}

export class InputPipe extends PipeEnd implements CommandInput {
  constructor(win32: Win32) {
    super(win32, { our: PIPE_ACCESS_OUTBOUND, their: GENERIC_READ | FILE_WRITE_ATTRIBUTES });
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + BUFFER_BYTES);
      this.buffer.set(part);
      const count = await this.transfer("NtWriteFile", part.length);
      if (count === undefined) throw new Error("The command has stopped reading");
      at += count;
    }
  }
}
