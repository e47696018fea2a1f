/**
 * Runs the picture jobs: one worker makes pictures and another searches in them, so that no search
 * delays a picture.
 */

import { unlessAborted } from "../../core/deadline.ts";
import { importModules, ServiceError } from "../../core/errors.ts";
import { once } from "../../core/shared_run.ts";
import { WorkerPool } from "../../core/worker_thread.ts";
import type { Display, Reading, ScreenAddress } from "../../platform/types/mod.ts";
import { Figures } from "../figures.ts";
import type { Session } from "../session.ts";
import type { JobName, JobRunner, Jobs } from "./jobs.ts";

/**
 * Jobs that run at the same time: enough to capture one picture while the previous one is
 * compressed.
 */
const AT_ONCE = 3;
/** Most jobs that may wait. */
const MAX_WAITING = 1_000;

export interface PictureJob {
  readonly name: JobName;
  readonly screen: ScreenAddress;
  readonly job: Jobs[JobName]["in"];
}

/** The result of a job, and how the screen was read where that is known. */
export interface PictureResult {
  readonly result: Jobs[JobName]["out"];
  readonly reading: Reading | undefined;
}

export class Pictures implements Disposable {
  static readonly ofService = true;
  readonly #making = openPool();
  readonly #searching = openPool();
  /** For a screen that only this thread can read. */
  readonly #here = once(openRunner);
  #begun = 0;
  #ended = 0;

  constructor(private readonly session: Session) {
    const { now } = session.use(Figures);
    now.set("pictures_total", () => this.#ended);
    now.set("pictures_in_progress", () => this.#begun - this.#ended);
  }

  /**
   * Runs a job on the screen of a display. If the signal aborts, a waiting job is not started, and
   * a running one is abandoned.
   * @throws ServiceError `unavailable` when too many wait; whatever the job throws; the signal's
   * reason.
   */
  async run<N extends JobName>(
    name: N,
    { screen }: Pick<Display, "screen">,
    job: Jobs[N]["in"],
    signal?: AbortSignal,
  ): Promise<Jobs[N]["out"]> {
    if (name !== "render") return await this.#runJob(name, { screen }, job, signal);
    this.#begun++;
    try {
      return await this.#runJob(name, { screen }, job, signal);
    } finally {
      this.#ended++;
    }
  }

  async #runJob<N extends JobName>(
    name: N,
    { screen }: Pick<Display, "screen">,
    job: Jobs[N]["in"],
    signal?: AbortSignal,
  ): Promise<Jobs[N]["out"]> {
    if ("capture" in screen) return await (await this.#here()).run(name, screen, job);
    const pool = name === "render" ? this.#making : this.#searching;
    const note = (reading: Reading | undefined) => {
      if (reading !== undefined) this.session.readings.set(screen.name, reading);
    };
    const done = pool.run({ name, screen, job }, { signal, onMessage: note });
    const { result, reading } = await unlessAborted(done, signal);
    note(reading);
    return result as Jobs[N]["out"];
  }

  [Symbol.dispose](): void {
    const reason = new ServiceError("unavailable", "The service is stopping");
    this.#making.end(reason);
    this.#searching.end(reason);
  }
}

/** Loaded on first use: the codecs take 15 ms and their memory. */
async function openRunner(): Promise<JobRunner> {
  const { JobRunner } = await importModules(() => import("./jobs.ts"));
  return new JobRunner();
}

function openPool(): WorkerPool<PictureJob, PictureResult> {
  const text = `${MAX_WAITING} pictures are already queued: try again later`;
  return new WorkerPool({
    module: new URL("./picture_worker.ts", import.meta.url),
    name: "picture",
    threads: 1,
    jobsEach: AT_ONCE,
    maxWaiting: MAX_WAITING,
    full: () => new ServiceError("unavailable", text),
  });
}
