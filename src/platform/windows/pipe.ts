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
  IO_STATUS_BLOCK_BYTES,
  isFailed,
  type Kernel32,
  type Ntdll,
  OPEN_EXISTING,
  openKernel32,
  openNtdll,
  OVERLAPPED_ENTRY,
  PIPE_ACCESS_INBOUND,
  PIPE_ACCESS_OUTBOUND,
  PIPE_REJECT_REMOTE_CLIENTS,
  SECURITY_ATTRIBUTES,
} from "../../../ffi/windows/kernel32.ts";
import { openUser32, type User32 } from "../../../ffi/windows/user32.ts";
import type { CommandInput } from "../types/mod.ts";

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

// Waits for the pipes and jobs of all commands with one thread. Deno runs blocking calls and file
// operations in the same small thread pool, so a quiet command must not occupy one of its threads.

interface Completion {
  /** The NTSTATUS of a read or write. */
  readonly status: number;
  /** The number of bytes; for a job, the type of the message. */
  readonly count: number;
  /** For a job: the id of the process that the message is about. */
  readonly about: number;
}

export interface Listener {
  completed(completion: Completion): void;
  /** Called every {@link POLL_INTERVAL_MS}, because the system may lose a message of a job. */
  poll?(): void;
}

const MOST_AT_ONCE = 64;
/** How often listeners check for events that were not reported. */
const POLL_INTERVAL_MS = 500;

class Completions implements AsyncDisposable {
  readonly port: Handle;
  readonly #listeners = new Map<number, Listener>();
  readonly #entries = memory(MOST_AT_ONCE * OVERLAPPED_ENTRY.size);
  readonly #count = memory(4);
  #lastKey = 0;
  #waiting: Promise<void> | undefined;

  constructor(private readonly kernel32: Kernel32["symbols"]) {
    this.port = kernel32.CreateIoCompletionPort(INVALID_HANDLE, 0n, 0n, 0);
    if (this.port === 0n) throw new Error("Windows cannot create a completion port");
  }

  /** Adds a listener for the returned key, until {@link remove}. Keys are never reused. */
  add(listener: Listener): number {
    const key = ++this.#lastKey;
    this.#listeners.set(key, listener);
    this.#waiting ??= this.#wait();
    return key;
  }

  remove(key: number): void {
    this.#listeners.delete(key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
    this.kernel32.PostQueuedCompletionStatus(this.port, 0, 0n, null); // wakes the waiting thread
    await this.#waiting;
    this.kernel32.CloseHandle(this.port);
  }

  async #wait(): Promise<void> {
    let polledAt = performance.now();
    while (this.#listeners.size > 0) {
      this.#count.fill(0);
      await this.kernel32.GetQueuedCompletionStatusEx(
        ...[this.port, this.#entries, MOST_AT_ONCE, this.#count, POLL_INTERVAL_MS, 0] as const,
      );
      this.#notifyAll();
      if (performance.now() - polledAt < POLL_INTERVAL_MS) continue;
      for (const listener of [...this.#listeners.values()]) listener.poll?.();
      polledAt = performance.now();
    }
    this.#waiting = undefined;
  }

  #notifyAll(): void {
    const count = new DataView(this.#count.buffer).getUint32(0, true);
    const entries = new DataView(this.#entries.buffer);
    for (let at = 0; at < count * OVERLAPPED_ENTRY.size; at += OVERLAPPED_ENTRY.size) {
      const number = (offset: number) => Number(entries.getBigUint64(at + offset, true));
      this.#listeners.get(number(OVERLAPPED_ENTRY.lpCompletionKey))?.completed({
        status: entries.getUint32(at + OVERLAPPED_ENTRY.Internal, true),
        count: entries.getUint32(at + OVERLAPPED_ENTRY.dwNumberOfBytesTransferred, true),
        about: number(OVERLAPPED_ENTRY.lpOverlapped),
      });
    }
  }
}

/** Opens a file or pipe that a command inherits; `undefined` when that is not possible. */
export function openInherited(
  kernel32: Kernel32["symbols"],
  name: string,
  { access, share }: { readonly access: number; readonly share: number },
): Handle | undefined {
  const attributes = memory(SECURITY_ATTRIBUTES.size);
  const view = new DataView(attributes.buffer);
  view.setUint32(SECURITY_ATTRIBUTES.nLength, SECURITY_ATTRIBUTES.size, true);
  view.setUint32(SECURITY_ATTRIBUTES.bInheritHandle, 1, true);
  const handle = kernel32.CreateFileW(
    ...[wideText(name), access >>> 0, share, attributes, OPEN_EXISTING, 0, 0n] as const,
  );
  return handle === INVALID_HANDLE ? undefined : handle;
}

// The calls of Windows that run commands.

export interface Win32 extends AsyncDisposable {
  readonly kernel32: Kernel32["symbols"];
  readonly ntdll: Ntdll["symbols"];
  readonly completions: Completions;
  readonly user32: User32;
}

/** @throws Error on other systems */
export function openWin32(): Win32 {
  const [kernel32, ntdll, user32] = [openKernel32(), openNtdll(), openUser32()];
  const completions = new Completions(kernel32.symbols);
  return {
    kernel32: kernel32.symbols,
    ntdll: ntdll.symbols,
    completions,
    user32: user32.symbols,
    async [Symbol.asyncDispose]() {
      await completions[Symbol.asyncDispose]();
      for (const library of [kernel32, ntdll, user32]) library.close();
    },
  };
}
