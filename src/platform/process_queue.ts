/** The steps that were sent and the processes that do them: one for each chain of steps, in the order of sending. */

import { ServiceError } from "../core/errors.ts";
import type { Semaphore } from "../core/semaphore.ts";

export interface ProcessQueueOptions<S> {
  /** Of one place. Queues that drive the same input share it. */
  readonly lane: Semaphore;
  /** Does the steps of one chain. */
  runSteps(steps: readonly S[], signal: AbortSignal): Promise<unknown>;
  /** Why nothing runs any more when the queue was disposed of. */
  readonly closed: string;
}

export class ProcessQueue<S> implements AsyncDisposable {
  /** The steps that the next process gets, until it starts or {@link cut} is called. */
  #chain: S[] | undefined;
  /** Chains that still run, and those that failed before anybody waited for them. */
  readonly #unconfirmed = new Set<Promise<unknown>>();
  #stop = new AbortController();

  constructor(private readonly options: ProcessQueueOptions<S>) {}

  /** Sends a step: at the next microtask, so that what follows at once goes with it, or behind what runs. */
  add(step: S): void {
    if (this.#chain === undefined) this.#startChain();
    this.#chain!.push(step);
  }

  /** What is sent from now on goes to another process. */
  cut(): void {
    this.#chain = undefined;
  }

  /**
   * Resolves when all steps that were sent so far are done.
   * @throws ServiceError of what failed since the last confirmation.
   */
  async confirm(): Promise<void> {
    const sent = [...this.#unconfirmed];
    const outcomes = await Promise.allSettled(sent);
    for (const chain of sent) this.#unconfirmed.delete(chain);
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  /** Resolves when all steps that were sent so far are done, well or not; failures are kept for {@link confirm}. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#unconfirmed);
  }

  /** Runs `task` after everything that was sent. An error belongs to its caller, and those behind go on. */
  async run<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.cut();
    return await this.#enqueue(task);
  }

  /** Drops what has not started, ends what runs, and resolves when all is quiet. */
  async drop(): Promise<void> {
    const stop = this.#stop;
    if (!stop.signal.aborted) this.#stop = new AbortController(); // else it was disposed, and stays so
    await this.#end(
      stop,
      new ServiceError("conflict", "Dropped: all input was released meanwhile"),
    );
  }

  /** The same, and nothing runs from now on. */
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
      await Promise.resolve(); // what is sent at once goes together
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
