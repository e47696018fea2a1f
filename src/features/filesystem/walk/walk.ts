/** One walk in a worker: streams its chunks, reports its end, and stops it on request. */

import { ServiceError } from "../../../core/errors.ts";
import type { WorkerPool } from "../../../core/worker_pool.ts";
import type { Platform } from "../../../platform/types/mod.ts";
import {
  Cell,
  CELLS,
  type Chunk,
  MAX_WAITING_CHUNKS,
  type Order,
  type WalkTask,
} from "./protocol.ts";

export interface WalkOptions {
  readonly system: Platform["system"];
  readonly signal: AbortSignal;
  /** The longest time that the walk may take, in milliseconds. */
  readonly maxMs: number;
}

export class Walk {
  /** Resolves when the worker has finished with this walk. */
  readonly ended: Promise<void>;
  readonly #end: () => void;
  readonly #shared = new Int32Array(new SharedArrayBuffer(4 * CELLS));
  readonly #first = Promise.withResolvers<void>();
  /** Makes the pool terminate a worker that does not respond because a system call hangs. */
  readonly #stopping = new AbortController();
  #controller!: ReadableStreamDefaultController<Chunk>;
  readonly #stream: ReadableStream<Chunk>;
  #received = 0;
  #started = false;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: WalkOptions) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
    this.#stream = new ReadableStream<Chunk>({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#allow(),
      cancel: () => this.#stop(),
    }, { highWaterMark: MAX_WAITING_CHUNKS });
  }

  /** Resolves with the stream when the walk has its first output. */
  async start(task: WalkTask, pool: WorkerPool<Order, void>): Promise<ReadableStream<Chunk>> {
    const { system, signal, maxMs } = this.options;
    signal.addEventListener("abort", this.#leave);
    this.#timer = setTimeout(() => this.#expire(), maxMs);
    pool.run({ system, task, shared: this.#shared }, {
      signal: this.#stopping.signal,
      hear: (chunk: Chunk) => this.#take(chunk),
    }).then(() => this.#finish(), (error) => this.#fail(error)).finally(this.#end);
    if (signal.aborted) this.#leave();
    await this.#first.promise;
    return this.#stream;
  }

  /** Takes effect at the next folder, where the worker waits for {@link resume}. */
  pause(): void {
    if (!this.#isStopped) Atomics.store(this.#shared, Cell.paused, 1);
  }

  resume(): void {
    Atomics.store(this.#shared, Cell.paused, 0);
    Atomics.notify(this.#shared, Cell.paused);
  }

  #take(chunk: Chunk): void {
    this.#begin();
    this.#received++;
    if (!this.#isStopped) this.#controller.enqueue(chunk);
  }

  #begin(): void {
    this.#started = true;
    this.#first.resolve();
  }

  get #isStopped(): boolean {
    return Atomics.load(this.#shared, Cell.stop) === 1;
  }

  /** Allows as many chunks as the stream has room for. */
  #allow(): void {
    const room = Math.max(0, this.#controller.desiredSize ?? 0);
    Atomics.store(this.#shared, Cell.allowed, this.#received + room);
    Atomics.notify(this.#shared, Cell.allowed);
  }

  #stop(): void {
    Atomics.store(this.#shared, Cell.stop, 1);
    this.resume(); // a paused walk must see the stop
    Atomics.add(this.#shared, Cell.allowed, 1); // wakes a waiting walk
    Atomics.notify(this.#shared, Cell.allowed);
    this.#stopping.abort();
  }

  /** The reader is gone, so no error is reported. */
  #leave = (): void => {
    this.#abandon(this.options.signal.reason, () => this.#controller.close());
  };

  #expire(): void {
    const seconds = this.options.maxMs / 1000;
    const error = new ServiceError(
      "timed_out",
      `The walk takes longer than ${seconds} s (--max-walk): begin at a smaller folder`,
    );
    this.#abandon(error, () => this.#controller.error(error));
  }

  /** Answers the caller immediately and stops the worker. */
  #abandon(error: unknown, endStream: () => void): void {
    if (this.#isOver || this.#isStopped) return;
    if (this.#started) endStream();
    else this.#first.reject(error);
    this.#stop();
  }

  #finish(): void {
    this.#letGo();
    this.#begin();
    if (!this.#isStopped) this.#controller.close();
  }

  #fail(error: unknown): void {
    this.#letGo();
    if (this.#isStopped) return;
    if (this.#started) this.#controller.error(error);
    else this.#first.reject(error);
  }

  #letGo(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.options.signal.removeEventListener("abort", this.#leave);
  }
}
