/** The thread of a recording, as the main thread uses it. */

import { ServiceError } from "../../core/errors.ts";
import { WorkerPool } from "../../core/worker_pool.ts";
import type { RecorderAnswers, RecorderJob } from "./recorder_messages.ts";

/** A picture, chapters, the wait for the end, and the end. */
const AT_ONCE = 64;

export class RecorderThread implements Disposable {
  readonly #pool = new WorkerPool<RecorderJob, unknown>({
    module: new URL("./recording_worker.ts", import.meta.url),
    name: "recording",
    threads: 1,
    jobsEach: AT_ONCE,
  });

  /** @throws ServiceError of the job; `internal` when the thread crashed */
  async ask<Job extends RecorderJob>(job: Job): Promise<RecorderAnswers[Job["ask"]]> {
    if (this.#pool.failure !== undefined) throw this.#pool.failure; // a new one has no recording
    return await this.#pool.run(job) as RecorderAnswers[Job["ask"]];
  }

  [Symbol.dispose](): void {
    this.#pool.end(new ServiceError("unavailable", "The recording has ended"));
  }
}
