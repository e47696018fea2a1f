/** A pool of worker threads: started on demand, replaced after a crash, and ended when idle. */

import { ServiceError } from "./errors.ts";
import { Semaphore } from "./semaphore.ts";
import { type JobOptions, type ThreadOptions, WorkerThread } from "./worker_thread.ts";

export interface WorkerPoolOptions extends ThreadOptions {
  /** Most threads; no limit by default. */
  readonly threads?: number;
  /** Jobs that a thread carries out concurrently; 1 by default. */
  readonly jobsEach?: number;
  /** Most jobs that can wait, and the error for the next one. */
  readonly maxWaiting?: number;
  full?(): Error;
  /** Time after which an idle thread is ended; never by default. */
  readonly idleMs?: number;
}

interface Kept {
  readonly thread: WorkerThread;
  /** Ends the thread when it has been idle for `idleMs`. */
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

  /** The current number of threads. */
  get threads(): number {
    return this.#threads.length;
  }

  /** Why the pool was ended, else why its first thread crashed, else `undefined`. */
  get failure(): unknown {
    return this.#ended?.reason ?? this.#broken;
  }

  /**
   * Resolves with the result of the job; jobs begin in the order of the calls.
   * @throws the error of the job; that of `full`; the signal's reason when the job was cancelled
   * before it began or has stopped; ServiceError `internal` when its thread crashed, `unavailable`
   * when no thread can be started
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

  /** Ends all threads immediately: running, waiting and later jobs fail with `reason`. */
  end(reason: unknown): void {
    this.#close(reason);
    for (const kept of [...this.#threads]) this.#endThread(kept, reason);
  }

  /** Begins no more jobs, and ends each thread when it becomes idle. */
  [Symbol.dispose](): void {
    this.#close(new ServiceError("unavailable", "The service is stopping"));
    for (const kept of [...this.#threads]) if (kept.thread.running === 0) this.#endThread(kept);
  }

  #close(reason: unknown): void {
    this.#ended ??= { reason };
    this.#places.drop(reason);
  }

  /** The free thread that was started last, which keeps its caches warm, or a new one. */
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
