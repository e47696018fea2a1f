/** Pools of worker threads, and the jobs that these carry out. */

import { devNull } from "node:os";
import { fromSent, type SentError, ServiceError, shortageError, toSent } from "./errors.ts";
import { Semaphore } from "./locks.ts";
import { nameOfThread } from "./log.ts";

interface JobOptions {
  /** Cancels the job; a job that has not begun never begins. */
  readonly signal?: AbortSignal | undefined;
  /** The parts of the job that are transferred instead of copied. */
  readonly transfer?: readonly Transferable[];
  onMessage?(message: never): void;
  answer?: ((question: never) => Promise<unknown>) | undefined;
}

interface ThreadOptions {
  /** The module that calls `serveJobs()`. */
  readonly module: URL;
  /** Its name in error messages: `picture`. */
  readonly name: string;
  /** Time that a cancelled job gets to stop before its thread is ended; no limit by default. */
  readonly stopMs?: number;
}

interface Running extends JobOptions {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

class WorkerThread {
  idleTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #worker: Worker;
  readonly #running = new Map<number, Running>();
  #lastId = 0;

  /**
   * @param broke called when the thread crashed, or was ended because a job did not end
   * @throws ServiceError `unavailable` when no thread can be started
   */
  constructor(
    private readonly options: ThreadOptions,
    private readonly broke: (error: ServiceError) => void,
  ) {
    this.#worker = startWorker(options.module);
    this.#worker.onmessage = ({ data }: MessageEvent<FromThread>) => this.#take(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      // its modules are files, too: there may be no descriptor left for one of them
      const text = `The ${options.name} worker crashed: ${event.message}`;
      this.#break(shortageError(event) ?? new ServiceError("internal", text));
    };
  }

  get running(): number {
    return this.#running.size;
  }

  /**
   * Resolves with the result of the job, even if its signal has aborted meanwhile.
   * @throws the error of the job; the signal's reason when the job stopped because of it, or its
   * thread was ended for that
   */
  async run(job: unknown, options: JobOptions): Promise<unknown> {
    const { signal, transfer = [] } = options;
    const id = ++this.#lastId;
    const stop = signal && new Int32Array(new SharedArrayBuffer(4));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = () => {
      Atomics.store(stop!, 0, 1);
      const { stopMs } = this.options;
      if (stopMs !== undefined) timer = setTimeout(() => this.#endHanging(id), stopMs);
    };
    signal?.addEventListener("abort", leave, { once: true });
    this.#running.set(id, { ...options, resolve, reject });
    try {
      this.#worker.postMessage({ id, job, stop } satisfies ToThread, [...transfer]);
      return await promise;
    } finally {
      this.#running.delete(id);
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
    }
  }

  /** Ends the thread; its jobs fail with `reason`. */
  end(reason?: unknown): void {
    this.#worker.terminate();
    for (const { reject } of this.#running.values()) reject(reason);
    this.#running.clear();
  }

  #endHanging(id: number): void {
    const { reject, signal } = this.#running.get(id)!;
    reject(signal!.reason);
    const text = `The ${this.options.name} worker was ended, because a job did not end`;
    this.#break(new ServiceError("internal", text));
  }

  #break(reason: ServiceError): void {
    this.broke(reason);
    this.end(reason);
  }

  #take(message: FromThread): void {
    const job = this.#running.get(message.id);
    if ("question" in message) return void this.#answer(job, message.key, message.question);
    if (job === undefined) return;
    if ("notification" in message) job.onMessage?.(message.notification as never);
    else if ("result" in message) job.resolve(message.result);
    else job.reject("stopped" in message ? job.signal?.reason : fromSent(message.failed));
  }

  async #answer(job: Running | undefined, key: number, question: unknown): Promise<void> {
    const post = (message: ToThread) => this.#worker.postMessage(message);
    try {
      // a stopped job may leave work behind, which would wait forever
      if (job === undefined) throw new ServiceError("conflict", "The caller has left");
      post({ key, answer: await job.answer?.(question as never) });
    } catch (error) {
      post({ key, failed: toSent(error) });
    }
  }
}

// The messages between a pool and its threads; `id` identifies a job, `key` a question.

/** To the thread: a job, or the answer to one of its questions. */
export type ToThread =
  | {
    readonly id: number;
    readonly job: unknown;
    /** One shared number, 1 when the job has been cancelled: a busy thread reads no messages. */
    readonly stop: Int32Array | undefined;
  }
  | { readonly key: number; readonly answer: unknown }
  | { readonly key: number; readonly failed: SentError };

/** From the thread: messages and questions of a running job, and its end. */
export type FromThread =
  | { readonly id: number; readonly notification: unknown }
  | { readonly id: number; readonly key: number; readonly question: unknown }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failed: SentError }
  /** The job has noticed that it was cancelled, and has stopped. */
  | { readonly id: number; readonly stopped: true };

/** A thread opens about six descriptors; other work may open some at the same time. */
const DESCRIPTORS = 24;

/**
 * Starts a worker thread if enough descriptors are free: without one Deno ends the program.
 * @throws ServiceError `unavailable` when too many files and connections are open
 */
export function startWorker(file: URL): Worker {
  checkDescriptors();
  return new Worker(file, { type: "module", name: nameOfThread() });
}

function checkDescriptors(): void {
  using stack = new DisposableStack();
  try {
    for (let count = 0; count < DESCRIPTORS; count++) {
      stack.use(Deno.openSync(devNull)); // it exists on every system, and any user may open it
    }
  } catch (error) {
    throw shortageError(error) ?? error;
  }
}

// A pool of worker threads: started on demand, replaced after a crash, and ended when idle.

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

export class WorkerPool<Job, Result> implements Disposable {
  readonly #permits: Semaphore;
  readonly #threads: WorkerThread[] = [];
  #broken: unknown;
  #ended: { readonly reason: unknown } | undefined;

  constructor(private readonly options: WorkerPoolOptions) {
    const { threads = Infinity, jobsEach = 1 } = options;
    this.#permits = new Semaphore({ ...options, capacity: threads * jobsEach });
  }

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
    return await this.#permits.run(async () => {
      if (this.#ended) throw this.#ended.reason;
      const thread = this.#take();
      try {
        return await thread.run(job, options) as Result;
      } finally {
        this.#keep(thread);
      }
    }, options.signal);
  }

  /** Ends all threads immediately: running, waiting and later jobs fail with `reason`. */
  end(reason: unknown): void {
    this.#close(reason);
    for (const thread of [...this.#threads]) this.#endThread(thread, reason);
  }

  /** Begins no more jobs, and ends each thread when it becomes idle. */
  [Symbol.dispose](): void {
    this.#close(new ServiceError("unavailable", "The service is stopping"));
    for (const thread of [...this.#threads]) if (thread.running === 0) this.#endThread(thread);
  }

  #close(reason: unknown): void {
    this.#ended ??= { reason };
    this.#permits.drop(reason);
  }

  /** The free thread that was started last, which keeps its caches warm, or a new one. */
  #take(): WorkerThread {
    const { jobsEach = 1 } = this.options;
    const free = this.#threads.findLast(({ running }) => running < jobsEach);
    if (free === undefined) return this.#start();
    clearTimeout(free.idleTimer);
    return free;
  }

  #start(): WorkerThread {
    const thread: WorkerThread = new WorkerThread(this.options, (error) => {
      this.#broken ??= error;
      this.#forget(thread);
    });
    this.#threads.push(thread);
    return thread;
  }

  #keep(thread: WorkerThread): void {
    if (thread.running > 0 || !this.#threads.includes(thread)) return;
    if (this.#ended) return this.#endThread(thread);
    const { idleMs } = this.options;
    if (idleMs === undefined) return;
    clearTimeout(thread.idleTimer);
    thread.idleTimer = setTimeout(() => this.#endThread(thread), idleMs);
    Deno.unrefTimer(thread.idleTimer);
  }

  #endThread(thread: WorkerThread, reason?: unknown): void {
    this.#forget(thread);
    thread.end(reason);
  }

  #forget(thread: WorkerThread): void {
    clearTimeout(thread.idleTimer);
    const at = this.#threads.indexOf(thread);
    if (at >= 0) this.#threads.splice(at, 1);
  }
}
