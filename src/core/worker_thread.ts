/** One thread of a pool, and the jobs that it carries out. */

import { ServiceError } from "./errors.ts";
import { fromSent, toSent } from "./sent_error.ts";
import { startWorker } from "./start_worker.ts";
import type { FromThread, ToThread } from "./worker_messages.ts";

export interface JobOptions {
  /** Tells the job that nobody waits for it any more; one that is not begun is never begun. */
  readonly signal?: AbortSignal | undefined;
  /** What of the job goes over without a copy. */
  readonly transfer?: readonly Transferable[];
  /** Takes what the job tells before it has ended. */
  hear?(message: never): void;
  /** Answers what the job asks. */
  answer?(question: never): Promise<unknown>;
}

export interface ThreadOptions {
  /** The module that calls `serveJobs()`. */
  readonly module: URL;
  /** What errors call it: `picture`. */
  readonly name: string;
  /** How long a job may go on whose signal has aborted before its thread is ended; for ever where it is left out. */
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
   * @param broke called when the thread was ended by an error of its own, or because a job did not stop
   * @throws ServiceError `unavailable` when there is no room for a thread
   */
  constructor(
    private readonly options: ThreadOptions,
    private readonly broke: (error: ServiceError) => void,
  ) {
    this.#worker = startWorker(options.module);
    this.#worker.onmessage = ({ data }: MessageEvent<FromThread>) => this.#take(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#break(
        new ServiceError("internal", `The ${options.name} worker broke: ${event.message}`),
      );
    };
  }

  /** Jobs that it carries out now. */
  get running(): number {
    return this.#running.size;
  }

  /**
   * Resolves with the result when the job has ended, also when its signal has aborted meanwhile.
   * @throws what the job throws; the signal's reason when the job has stopped, or its thread was ended, for that.
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
