/** A thread for calls that wait for other programs: each has a time limit, and none holds up others. */

import { abortAfter } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { WorkerPool } from "../../core/worker_thread.ts";

interface CallThreadOptions {
  /** The module that calls `serveJobs()`. */
  readonly module: URL;
  /** Its name in error messages. */
  readonly name: string;
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
  readonly #pool: WorkerPool<Job, Result>;

  constructor(private readonly options: CallThreadOptions) {
    this.#pool = new WorkerPool({ ...options, threads: 1 });
  }

  /** @throws ServiceError `timed_out`; the signal's reason */
  async run(job: Job, signal: AbortSignal, call: CallOptions = {}): Promise<Result> {
    const { ms = this.options.jobMs, transfer = [] } = call;
    const late = new ServiceError("timed_out", `${this.options.late} within ${ms} ms`);
    using waiting = abortAfter(ms, signal, late);
    return await this.#pool.run(job, { signal: waiting.signal, transfer });
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }
}
