/** Where the work on pictures is done: one worker makes them, another searches in them, so that no search holds up a picture. */

import type { Display, Reading, ScreenAddress } from "../../platform/types/mod.ts";
import { JobWorker } from "./job_worker.ts";
import { type JobName, JobRunner, type Jobs } from "./jobs.ts";

export class Pictures implements Disposable {
  /** The system's name of a display -> how its pictures are read, for displays that were. */
  readonly readings: ReadonlyMap<string, Reading>;
  readonly #making: JobWorker;
  readonly #searching: JobWorker;
  readonly #here = new JobRunner();

  constructor() {
    const readings = new Map<string, Reading>();
    const told = ({ name }: ScreenAddress, reading: Reading) => void readings.set(name, reading);
    this.readings = readings;
    this.#making = new JobWorker(told);
    this.#searching = new JobWorker(told);
  }

  /** Runs a job on the screen of a display, as {@link JobWorker.run} says. */
  run<N extends JobName>(
    name: N,
    { screen }: Display,
    job: Jobs[N]["in"],
    signal?: AbortSignal,
  ): Promise<Jobs[N]["out"]> {
    if ("capture" in screen) return this.#here.run(name, screen, job);
    const worker = name === "render" ? this.#making : this.#searching;
    return worker.run(name, screen, job, signal);
  }

  [Symbol.dispose](): void {
    this.#making[Symbol.dispose]();
    this.#searching[Symbol.dispose]();
  }
}
