/** The steps that were sent and the processes that do them: one for each operation, in the order of sending. */

import { ServiceError } from "../../core/errors.ts";
import type { Point } from "../types/mod.ts";
import { readPosition, runJob } from "./cliclick.ts";
import type { Lane } from "./lane.ts";
import { MODIFIERS } from "./mac_keys.ts";
import {
  both,
  type Job,
  NOTHING_PRESSED,
  type Pressed,
  releasesOf,
  touchedBy,
  typedBy,
  without,
} from "./pressed.ts";
import type { Programs } from "./programs.ts";
import { planJobs, type Step } from "./steps.ts";

/** What is released whoever has pressed it. */
const ALWAYS: Pressed = {
  buttons: new Set(["left"]),
  codes: new Set(),
  modifiers: new Set(MODIFIERS),
};

export class StepQueue implements AsyncDisposable {
  /** The steps that the next process gets, until it starts or the operation is confirmed. */
  #chain: Step[] | undefined;
  /** Chains that still run, and those that failed before anybody waited for them. */
  readonly #unconfirmed = new Set<Promise<unknown>>();
  #pressed: Pressed = NOTHING_PRESSED;
  /** What a release that failed may have left down; the next process releases it first. */
  #owed: Pressed = NOTHING_PRESSED;
  #stop = new AbortController();

  /** @param check throws where macOS would throw the input away; old versions of cliclick do not tell */
  constructor(
    private readonly programs: Programs,
    private readonly lane: Lane,
    private readonly check: () => void,
  ) {}

  add(step: Step): void {
    if (this.#chain === undefined) this.#startChain();
    this.#chain!.push(step);
  }

  /**
   * Ends the operation: what is sent from now on is another one. Resolves when everything that was
   * sent so far is done.
   * @throws ServiceError of what failed since the last confirmation.
   */
  async confirm(): Promise<void> {
    this.#chain = undefined;
    const sent = [...this.#unconfirmed];
    const outcomes = await Promise.allSettled(sent);
    for (const chain of sent) this.#unconfirmed.delete(chain);
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  /** Runs `task` after everything that was sent. */
  run<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#chain = undefined;
    return this.#enqueue(task);
  }

  /** Types: runs lines of cliclick as one process, after everything that was sent. */
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

  /** Where the cursor is when the steps that were sent are done; a text that is being typed does not hold it up. */
  async position(): Promise<Point> {
    this.#chain = undefined;
    await Promise.allSettled(this.#unconfirmed);
    return await readPosition(this.programs);
  }

  /** Drops what has not started, ends what runs, and releases everything. */
  async releaseAll(): Promise<void> {
    const stop = this.#stop;
    if (!stop.signal.aborted) this.#stop = new AbortController(); // else it was disposed, and stays so
    await this.#end(
      stop,
      new ServiceError("conflict", "Dropped: all input was released meanwhile"),
    );
    await this.lane.run(() => this.#release());
  }

  /** The same without the release, and nothing runs from now on. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end(
      this.#stop,
      new ServiceError("unavailable", "The service is ending: no more input"),
    );
  }

  #startChain(): void {
    const steps: Step[] = this.#chain = [];
    const done = this.#enqueue((signal) => {
      if (this.#chain === steps) this.#chain = undefined;
      return this.#runSteps(steps, signal);
    });
    this.#unconfirmed.add(done);
    done.then(() => this.#unconfirmed.delete(done), () => {}); // a failure is kept for confirm()
  }

  #enqueue<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.#stop;
    return this.lane.run(async () => {
      signal.throwIfAborted();
      this.check();
      await this.#letGo(NOTHING_PRESSED).catch(() => {}); // who waits here has not asked for it
      return await task(signal);
    });
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

  /** Whatever a failed operation may have left down goes up. */
  async #undo(jobs: readonly Job[], error: unknown): Promise<void> {
    if (isRefused(error)) return; // nothing was pressed
    const touched = both(touchedBy(jobs), without(typedBy(jobs), this.#pressed));
    this.#pressed = without(this.#pressed, touched);
    await this.#letGo(touched).catch(() => {}); // the failure that is told is the first one
  }

  async #release(): Promise<void> {
    const all = both(ALWAYS, this.#pressed);
    this.#pressed = NOTHING_PRESSED;
    await this.#letGo(all);
  }

  /** Releases by all processes that it takes, whichever of them fails, and what is still owed. */
  async #letGo(what: Pressed): Promise<void> {
    this.#owed = both(what, this.#owed);
    const failures: unknown[] = [];
    for (const job of releasesOf(this.#owed)) {
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

  async #end(stop: AbortController, reason: ServiceError): Promise<void> {
    this.#chain = undefined;
    this.#unconfirmed.clear();
    stop.abort(reason);
    await this.lane.idle();
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "permission_denied";
}
