/**
 * Queues input steps and runs them in helper processes: one process for each operation, in the
 * order of sending.
 */

import { ServiceError } from "../../core/errors.ts";
import { Semaphore } from "../../core/locks.ts";
import { ProcessQueue } from "../process_queue.ts";
import type { Point } from "../types/mod.ts";
import { type Job, readPosition, runJob } from "./cliclick.ts";
import { MODIFIERS } from "./mac_keys.ts";
import {
  both,
  NOTHING_PRESSED,
  planJobs,
  planReleases,
  type Pressed,
  type Step,
  touchedBy,
  typedBy,
  without,
} from "./steps.ts";
import type { Programs } from "./programs.ts";

/** Released on every `releaseAll`, no matter which program pressed it. */
const ALWAYS: Pressed = {
  buttons: new Set(["left"]),
  codes: new Set(),
  modifiers: new Set(MODIFIERS),
};

export class StepQueue implements AsyncDisposable {
  readonly #queue: ProcessQueue<Step>;
  /** All displays share one cursor and keyboard. */
  readonly #lane = new Semaphore({ capacity: 1 });
  #pressed: Pressed = NOTHING_PRESSED;
  /** Whatever a failed release may have left down; the next process releases it first. */
  #owed: Pressed = NOTHING_PRESSED;

  /**
   * @param check throws when macOS would discard the input; old versions of cliclick do not report
   * that
   */
  constructor(private readonly programs: Programs, private readonly check: () => void) {
    this.#queue = new ProcessQueue({
      lane: this.#lane,
      runSteps: (steps, signal) => this.#prepared(() => this.#runSteps(steps, signal)),
      closed: "The service is ending: no more input",
    });
  }

  add(step: Step): void {
    this.#queue.add(step);
  }

  /**
   * Ends the operation: later steps belong to another one. Resolves when all steps sent so far are
   * done.
   * @throws ServiceError the first failure since the last confirmation.
   */
  confirm(): Promise<void> {
    this.#queue.cut();
    return this.#queue.confirm();
  }

  /** Runs `task` after everything sent so far. */
  run<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#queue.run((signal) => this.#prepared(() => task(signal)));
  }

  /** Types: runs lines of cliclick as one process, after everything sent so far. */
  type(lines: readonly string[]): Promise<void> {
    return this.run(async (signal) => {
      const job: Job = { program: "cliclick", lines };
      try {
        await runJob(this.programs, job, signal);
      } catch (error) {
        await this.#undo([job], error);
        throw error;
      }
    });
  }

  /** The position of the cursor after the steps sent so far; does not wait for text being typed. */
  async position(): Promise<Point> {
    this.#queue.cut();
    await this.#queue.settled();
    return await readPosition(this.programs);
  }

  /** Drops pending work, aborts what runs, and releases everything. */
  async releaseAll(): Promise<void> {
    await this.#queue.drop();
    await this.#lane.run(() => {
      const all = both(ALWAYS, this.#pressed);
      this.#pressed = NOTHING_PRESSED;
      return this.#releaseAll(all);
    });
  }

  /**
   * Drops and aborts in the same way, without a release, and rejects everything that is sent later.
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#queue[Symbol.asyncDispose]();
  }

  async #prepared<T>(task: () => Promise<T>): Promise<T> {
    this.check();
    // a failed release is not this caller's error
    await this.#releaseAll(NOTHING_PRESSED).catch(() => {});
    return await task();
  }

  async #runSteps(steps: readonly Step[], signal: AbortSignal): Promise<void> {
    const { jobs, pressed } = planJobs(steps, this.#pressed);
    try {
      for (const job of jobs) {
        signal.throwIfAborted();
        await runJob(this.programs, job, signal);
      }
    } catch (error) {
      await this.#undo(jobs, error);
      throw error;
    }
    this.#pressed = pressed;
    this.#owed = without(this.#owed, pressed);
  }

  /** Releases everything that a failed operation may have left down. */
  async #undo(jobs: readonly Job[], error: unknown): Promise<void> {
    if (isRefused(error)) return; // nothing was pressed
    const touched = both(touchedBy(jobs), without(typedBy(jobs), this.#pressed));
    this.#pressed = without(this.#pressed, touched);
    await this.#releaseAll(touched).catch(() => {}); // only the first failure is reported
  }

  /** Releases `what` and everything still owed; a process that fails does not stop the others. */
  async #releaseAll(what: Pressed): Promise<void> {
    this.#owed = both(what, this.#owed);
    const failures: unknown[] = [];
    for (const job of planReleases(this.#owed)) {
      try {
        await runJob(this.programs, job);
      } catch (error) {
        // without the permission nothing can have been pressed
        if (!isRefused(error)) {
          failures.push(error);
          continue;
        }
      }
      this.#owed = without(this.#owed, touchedBy([job]));
    }
    if (failures.length > 0) throw failures[0];
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "permission_denied";
}
