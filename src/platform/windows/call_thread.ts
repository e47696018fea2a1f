/** A thread for calls that wait for other programs: each has a time limit, and none holds up others. */

import { abortAfter } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { WorkerPool } from "../../core/worker_thread.ts";

/** What a thread calls; each kind has a thread of its own. */
export type KindOfCall = "clipboard" | "element" | "window";

interface CallThreadOptions {
  readonly kind: KindOfCall;
  /** The time limit of a job that has none of its own, in milliseconds. */
  readonly jobMs: number;
  /** What the message says of a job that is late: `The program did not respond`. */
  readonly late: string;
  /** A thread whose job does not stop for so many milliseconds is given up. */
  readonly stopMs: number;
  /** A thread is ended after so many milliseconds without a job. */
  readonly idleMs: number;
}

interface CallOptions {
  /** The time limit, in milliseconds. */
  readonly ms?: number;
  readonly transfer?: readonly Transferable[];
}

export class CallThread<Job, Result> implements Disposable {
  readonly #pool: WorkerPool<{ readonly kind: KindOfCall; readonly job: Job }, Result>;

  constructor(private readonly options: CallThreadOptions) {
    const module = new URL("./call_worker.ts", import.meta.url);
    this.#pool = new WorkerPool({ ...options, module, name: options.kind, threads: 1 });
  }

  /** @throws ServiceError `timed_out`; the signal's reason */
  async run(job: Job, signal: AbortSignal, call: CallOptions = {}): Promise<Result> {
    const { ms = this.options.jobMs, transfer = [] } = call;
    const late = new ServiceError("timed_out", `${this.options.late} within ${ms} ms`);
    using waiting = abortAfter(ms, signal, late);
    const { kind } = this.options;
    return await this.#pool.run({ kind, job }, { signal: waiting.signal, transfer });
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }
}
