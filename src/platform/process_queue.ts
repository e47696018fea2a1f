/**
 * Queues input steps and runs them in helper processes: one process for each chain of steps, in the
 * order of sending.
 */

import { droppedInput, ServiceError } from "../core/errors.ts";
import type { Semaphore } from "../core/locks.ts";

export interface ProcessQueueOptions<S> {
  /** A semaphore with one place. Queues that drive the same input share it. */
  readonly lane: Semaphore;
  /** Performs the steps of one chain. */
  runSteps(steps: readonly S[], signal: AbortSignal): Promise<unknown>;
  /** The error message after the queue has been disposed of. */
  readonly closed: string;
}

export class ProcessQueue<S> implements AsyncDisposable {
  /** The steps of the next process; more are added until it starts or {@link cut} is called. */
  #chain: S[] | undefined;
  /** Chains that still run, and those that failed before they were confirmed. */
  readonly #unconfirmed = new Set<Promise<unknown>>();
  #stop = new AbortController();

  constructor(private readonly options: ProcessQueueOptions<S>) {}

  /**
   * Sends a step. Its process starts in the next microtask, together with all steps added until
   * then, or after the process that runs now.
   */
  add(step: S): void {
    if (this.#chain === undefined) this.#startChain();
    this.#chain!.push(step);
  }

  /** Starts a new chain: later steps go to another process. */
  cut(): void {
    this.#chain = undefined;
  }

  /**
   * Resolves when all steps sent so far are done.
   * @throws ServiceError the first failure since the last confirmation.
   */
  async confirm(): Promise<void> {
    const sent = [...this.#unconfirmed];
    const outcomes = await Promise.allSettled(sent);
    for (const chain of sent) this.#unconfirmed.delete(chain);
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  /** Resolves when all steps sent so far have settled; failures are kept for {@link confirm}. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#unconfirmed);
  }

  /**
   * Runs `task` after everything sent so far. Only the caller gets its error; the queue goes on.
   */
  async run<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.cut();
    return await this.#enqueue(task);
  }

  /** Drops pending work, aborts what runs, and resolves when nothing runs any more. */
  async drop(): Promise<void> {
    const stop = this.#stop;
    // else the queue is disposed of for good
    if (!stop.signal.aborted) this.#stop = new AbortController();
    await this.#end(stop, droppedInput());
  }

  /** As {@link drop}, and rejects everything that is sent later. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end(this.#stop, new ServiceError("unavailable", this.options.closed));
  }

  #startChain(): void {
    const steps: S[] = this.#chain = [];
    const done = this.#enqueue((signal) => {
      if (this.#chain === steps) this.cut();
      return this.options.runSteps(steps, signal);
    });
    this.#unconfirmed.add(done);
    done.then(() => this.#unconfirmed.delete(done), () => {}); // a failure is kept for confirm()
  }

  #enqueue<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.#stop;
    return this.options.lane.run(async () => {
      await Promise.resolve(); // steps sent in the same turn share a chain
      signal.throwIfAborted();
      return await task(signal);
    });
  }

  async #end(stop: AbortController, reason: ServiceError): Promise<void> {
    this.cut();
    this.#unconfirmed.clear();
    stop.abort(reason);
    await this.options.lane.idle();
  }
}
