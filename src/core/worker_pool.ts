/** Threads that carry out jobs: started when they are needed, again after they broke, and ended when they are idle. */

import { ServiceError } from "./errors.ts";
import { Semaphore } from "./semaphore.ts";
import { type JobOptions, type ThreadOptions, WorkerThread } from "./worker_thread.ts";

export interface WorkerPoolOptions extends ThreadOptions {
  /** Threads at most; any number where it is left out. */
  readonly threads?: number;
  /** Jobs that a thread carries out at once: 1 where it is left out. */
  readonly jobsEach?: number;
  /** Jobs that may wait, and the error for those that come when the queue is full. */
  readonly maxWaiting?: number;
  full?(): Error;
  /** How long a thread without a job is kept; for ever where it is left out. */
  readonly idleMs?: number;
}

interface Kept {
  readonly thread: WorkerThread;
  /** Ends it when it has been idle for long. */
  timer?: ReturnType<typeof setTimeout>;
}

export class WorkerPool<Job, Result> implements Disposable {
  readonly #places: Semaphore;
  readonly #threads: Kept[] = [];
  #broken: unknown;
  #ended: { readonly reason: unknown } | undefined;

  constructor(private readonly options: WorkerPoolOptions) {
    const { threads = Infinity, jobsEach = 1 } = options;
    this.#places = new Semaphore({ ...options, places: threads * jobsEach });
  }

  /** Threads that are there now. */
  get threads(): number {
    return this.#threads.length;
  }

  /** Why the pool was ended, or a thread of it broke first; `undefined` when neither has happened. */
  get failure(): unknown {
    return this.#ended?.reason ?? this.#broken;
  }

  /**
   * Resolves with the result when the job has ended; jobs begin in the order of the calls.
   * @throws what the job throws; what `full` makes; the signal's reason when the job was not begun, or has
   * stopped; ServiceError `internal` when its thread broke, `unavailable` when there is no room for one.
   */
  async run(job: Job, options: JobOptions = {}): Promise<Result> {
    return await this.#places.run(async () => {
      if (this.#ended) throw this.#ended.reason;
      const kept = this.#take();
      try {
        return await kept.thread.run(job, options) as Result;
      } finally {
        this.#keep(kept);
      }
    }, options.signal);
  }

  /** Ends all threads at once: what runs or waits fails with `reason`, and what comes later, too. */
  end(reason: unknown): void {
    this.#close(reason);
    for (const kept of [...this.#threads]) this.#endThread(kept, reason);
  }

  /** Begins no more jobs, and ends each thread when it has nothing to do any more. */
  [Symbol.dispose](): void {
    this.#close(new ServiceError("unavailable", "The service is stopping"));
    for (const kept of [...this.#threads]) if (kept.thread.running === 0) this.#endThread(kept);
  }

  #close(reason: unknown): void {
    this.#ended ??= { reason };
    this.#places.drop(reason);
  }

  /** The thread that worked last, for what it still knows, or a new one. */
  #take(): Kept {
    const { jobsEach = 1 } = this.options;
    const free = this.#threads.findLast(({ thread }) => thread.running < jobsEach);
    if (free === undefined) return this.#start();
    clearTimeout(free.timer);
    return free;
  }

  #start(): Kept {
    const thread = new WorkerThread(this.options, (error) => {
      this.#broken ??= error;
      this.#forget(kept);
    });
    const kept: Kept = { thread };
    this.#threads.push(kept);
    return kept;
  }

  #keep(kept: Kept): void {
    if (kept.thread.running > 0 || !this.#threads.includes(kept)) return;
    if (this.#ended) return this.#endThread(kept);
    const { idleMs } = this.options;
    if (idleMs === undefined) return;
    clearTimeout(kept.timer);
    kept.timer = setTimeout(() => this.#endThread(kept), idleMs);
    Deno.unrefTimer(kept.timer);
  }

  #endThread(kept: Kept, reason?: unknown): void {
    this.#forget(kept);
    kept.thread.end(reason);
  }

  #forget(kept: Kept): void {
    clearTimeout(kept.timer);
    const at = this.#threads.indexOf(kept);
    if (at >= 0) this.#threads.splice(at, 1);
  }
}
