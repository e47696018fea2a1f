/**
 * Waits for the pipes and jobs of all commands with one thread. Deno runs blocking calls and file
 * operations in the same small thread pool, so a quiet command must not occupy one of its threads.
 */

import { memory } from "../../../ffi/memory.ts";
import {
  type Handle,
  INVALID_HANDLE,
  type Kernel32,
  OVERLAPPED_ENTRY,
} from "../../../ffi/windows/kernel32.ts";

export interface Completion {
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

export class Completions implements AsyncDisposable {
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
