/** The thread for elements, which all monitors share. */

import { abortAfter } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { WorkerPool } from "../../../core/worker_pool.ts";
import type { ElementJob, ElementResult } from "./element_job.ts";

/** A thread that waits for a program for longer is given up. */
const STOP_MS = 500;
/** A thread is ended after this time without a job. */
const IDLE_MS = 600_000;

export class ElementThread implements Disposable {
  readonly #pool = new WorkerPool<ElementJob, ElementResult>({
    module: new URL("./element_worker.ts", import.meta.url),
    name: "element",
    threads: 1,
    stopMs: STOP_MS,
    idleMs: IDLE_MS,
  });

  /** @throws ServiceError `timed_out`; the signal's reason */
  async run(job: ElementJob, ms: number, signal: AbortSignal): Promise<ElementResult> {
    using waiting = abortAfter(ms, signal, silent(ms));
    return await this.#pool.run(job, { signal: waiting.signal });
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }
}

function silent(ms: number): ServiceError {
  return new ServiceError("timed_out", `The program has not told its elements within ${ms} ms`);
}
