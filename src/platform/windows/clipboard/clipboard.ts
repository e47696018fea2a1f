/** The clipboard of Windows, used by a thread of its own. */

import { abortAfter } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { WorkerPool } from "../../../core/worker_thread.ts";
import { TimedPasting } from "../../timed_pasting.ts";
import type {
  Clipboard,
  ClipboardContent,
  ClipboardReading,
  Pasting,
  ReadClipboard,
} from "../../types/mod.ts";
import type { ClipboardJob, ClipboardResult } from "./clipboard_job.ts";
import { listBuffers } from "./native_clipboard.ts";

/** A thread that waits for a program is given up; it ends when the program answers. */
const STOP_MS = 100;
/** The longest time that a write takes, in which programs may look at what was there. */
const WRITE_MS = 10_000;
/** A thread is ended after this time without a job. */
const IDLE_MS = 60_000;

export class WindowsClipboard implements Clipboard, Disposable {
  readonly #pool = new WorkerPool<ClipboardJob, ClipboardResult>({
    module: new URL("./clipboard_worker.ts", import.meta.url),
    name: "clipboard",
    threads: 1,
    stopMs: STOP_MS,
    idleMs: IDLE_MS,
  });

  async read({ formats, maxBytes, idleMs, signal }: ClipboardReading): Promise<ReadClipboard> {
    const { read } = await this.#run({ do: "read", formats, maxBytes }, idleMs, signal);
    return read!;
  }

  async write(content: ClipboardContent, signal: AbortSignal): Promise<void> {
    await this.#run({ do: "write", content, isPassing: false }, WRITE_MS, signal);
  }

  async clear(signal: AbortSignal): Promise<void> {
    await this.write({}, signal);
  }

  beginPasting(press: () => Promise<void>): Pasting {
    const never = new AbortController().signal;
    return new TimedPasting({
      press,
      read: (reading) => this.read(reading),
      replace: async (content, isPassing) => {
        const job = { do: "write", content, isPassing } as const;
        return (await this.#run(job, WRITE_MS, never)).sequence;
      },
      version: async () => (await this.#run({ do: "sequence" }, WRITE_MS, never)).sequence,
    });
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }

  async #run(job: ClipboardJob, ms: number, signal: AbortSignal): Promise<ClipboardResult> {
    using waiting = abortAfter(ms, signal, silent(ms));
    const transfer = job.do === "write" ? listBuffers(job.content) : [];
    return await this.#pool.run(job, { signal: waiting.signal, transfer });
  }
}

function silent(ms: number): ServiceError {
  return new ServiceError(
    "timed_out",
    `The program that owns the clipboard has not answered within ${ms} ms`,
  );
}
