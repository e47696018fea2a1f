/** One thread of a pool and the jobs that it carries out. */

import { ServiceError } from "./errors.ts";
import { fromSent, toSent } from "./sent_error.ts";
import { shortageError } from "./shortage.ts";
import { startWorker } from "./start_worker.ts";
import type { FromThread, ToThread } from "./worker_messages.ts";

export interface JobOptions {
  /** Cancels the job; a job that has not begun never begins. */
  readonly signal?: AbortSignal | undefined;
  /** The parts of the job that are transferred instead of copied. */
  readonly transfer?: readonly Transferable[];
  /** Receives the messages of the running job. */
  hear?(message: never): void;
  /** Answers the questions of the job. */
  answer?(question: never): Promise<unknown>;
}

export interface ThreadOptions {
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

export class WorkerThread {
  readonly #worker: Worker;
  readonly #running = new Map<number, Running>();
  #lastId = 0;

  /**
   * @param broke called when the thread crashed, or was ended because a job did not stop
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
      const text = `The ${options.name} worker broke: ${event.message}`;
      this.#break(shortageError(event) ?? new ServiceError("internal", text));
    };
  }

  /** The number of running jobs. */
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
    const text = `The ${this.options.name} worker was ended, because a job did not stop`;
    this.#break(new ServiceError("internal", text));
  }

  #break(reason: ServiceError): void {
    this.broke(reason);
    this.end(reason);
  }

  #take(message: FromThread): void {
    const job = this.#running.get(message.id);
    if (job === undefined) return;
    if ("told" in message) job.hear?.(message.told as never);
    else if ("question" in message) this.#answer(job, message.key, message.question);
    else if ("result" in message) job.resolve(message.result);
    else job.reject("stopped" in message ? job.signal?.reason : fromSent(message.failed));
  }

  async #answer(job: Running, key: number, question: unknown): Promise<void> {
    const post = (message: ToThread) => this.#worker.postMessage(message);
    try {
      post({ key, answer: await job.answer?.(question as never) });
    } catch (error) {
      post({ key, failed: toSent(error) });
    }
  }
}
