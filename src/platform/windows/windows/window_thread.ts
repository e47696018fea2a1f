/** The thread for windows, which all monitors share. */

import { abortAfter } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { WorkerPool } from "../../../core/worker_pool.ts";
import type { WindowJob, WindowResult } from "./window_job.ts";

/** Nothing waits for a program, so that this shows a desktop that hangs. */
const JOB_MS = 5_000;
/** A thread that hangs is given up. */
const STOP_MS = 100;
/** A thread is ended after this time without a job. */
const IDLE_MS = 60_000;

export class WindowThread implements Disposable {
  readonly #pool = new WorkerPool<WindowJob, WindowResult>({
    module: new URL("./window_worker.ts", import.meta.url),
    name: "window",
    threads: 1,
    stopMs: STOP_MS,
    idleMs: IDLE_MS,
  });

  /** @throws ServiceError `timed_out`; the signal's reason */
  async run(job: WindowJob, signal: AbortSignal): Promise<WindowResult> {
    using waiting = abortAfter(JOB_MS, signal, silent());
    return await this.#pool.run(job, { signal: waiting.signal });
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }
}

function silent(): ServiceError {
  return new ServiceError(
    "timed_out",
    `Windows has not told about its windows within ${JOB_MS} ms`,
  );
}
