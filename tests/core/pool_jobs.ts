/** A worker for the tests of the pool. */

import { ServiceError } from "../../src/core/errors.ts";
import { type JobCaller, serveJobs } from "../../src/core/serve_jobs.ts";

export interface PoolJob {
  /**
   * `echo` gives its number back after a turn, `fail` throws, `die` ends the thread, `spin` works until it is
   * told to stop, `hang` does not even look, `ask` asks for its number,
   * `late` does so after its end, and gives what the last `late` was answered.
   */
  readonly kind: "echo" | "fail" | "die" | "spin" | "hang" | "ask" | "late" | "strange";
  readonly number: number;
  /** Jobs that may run at once in a thread. */
  readonly jobsEach: number;
}

let running = 0;
let late: Promise<unknown> | undefined;

serveJobs(async (job: PoolJob, caller) => {
  try {
    if (++running > job.jobsEach) throw new Error("too many at once");
    caller.notify(job.number);
    return await carryOut(job, caller);
  } finally {
    running--;
  }
});

async function carryOut({ kind, number }: PoolJob, caller: JobCaller): Promise<unknown> {
  await new Promise((resolve) => setTimeout(resolve));
  if (kind === "fail") throw new ServiceError("conflict", `failed ${number}`);
  if (kind === "die") {
    queueMicrotask(() => {
      throw new Error("dead");
    });
    await new Promise(() => {});
  }
  if (kind === "spin") { for (;;) caller.checkStop(); }
  if (kind === "hang") { for (;;); }
  if (kind === "ask") return await caller.request(number);
  if (kind === "late") {
    const before = late;
    const ended = new Promise((resolve) => setTimeout(resolve));
    late = ended.then(() => caller.request(number)).catch((error) => error.message);
    return await before;
  }
  if (kind === "strange") return () => "cannot be sent";
  return number;
}
