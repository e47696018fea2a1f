/**
 * Manages the walk workers: a few run at the same time, and further walks queue; idle workers are
 * kept for a minute.
 */

import type { Limits } from "../../../config/limits.ts";
import { ServiceError } from "../../../core/errors.ts";
import { Semaphore } from "../../../core/locks.ts";
import { WorkerPool } from "../../../core/worker_thread.ts";
import type { Platform } from "../../../platform/types/mod.ts";
import { Streamed } from "../../streamed.ts";
import { type Chunk, MAX_WAITING_CHUNKS, type Order, type WalkTask } from "./protocol.ts";

/** How long an idle worker is kept, in milliseconds. */
const IDLE_TIMEOUT_MS = 60_000;
/** How long a worker may continue after a stop request before it is terminated, in milliseconds. */
const STOP_TIMEOUT_MS = 1_000;
/** Most walks that may wait. */
const MAX_WAITING = 1_000;
/** After this time a walk moves to the lane for long walks, in milliseconds. */
const LONG_AFTER_MS = 250;
/** Most long walks beyond `maxWalks`: each occupies a thread, which runs at a low priority. */
const MORE_LONG_WALKS = 16;

interface WalkerLimits extends Pick<Limits, "maxWalks" | "maxWalkMs"> {
  /** After this time a walk counts as long, in milliseconds. */
  readonly longAfterMs?: number;
}

/**
 * Two lanes, so that short walks do not wait for long ones: `maxWalks` walks that have just
 * started, and the long ones. A walk that finds no room among the long ones keeps its permit.
 */
export class Walkers implements Disposable {
  /** The lanes limit how many walks run at the same time. */
  readonly #pool = new WorkerPool<Order, void>({
    module: new URL("./walk_worker.ts", import.meta.url),
    name: "walking",
    idleMs: IDLE_TIMEOUT_MS,
    stopMs: STOP_TIMEOUT_MS,
  });
  readonly #begun: Semaphore;
  readonly #long: Semaphore;

  constructor(
    private readonly system: Platform["system"],
    private readonly limits: WalkerLimits,
  ) {
    const { maxWalks } = limits;
    this.#begun = new Semaphore({ capacity: maxWalks, maxWaiting: MAX_WAITING, full: tooMany });
    this.#long = new Semaphore({ capacity: maxWalks + MORE_LONG_WALKS });
  }

  /**
   * The JSON of a walk; resolves with its first bytes.
   * @throws the system's error when the root cannot be read; the signal's reason when the client
   * disconnects.
   */
  async walk(task: WalkTask, signal: AbortSignal): Promise<Streamed> {
    let permit = await this.#begun.acquire(signal);
    if (signal.aborted) { // aborted just as the permit was given
      permit[Symbol.dispose]();
      throw signal.reason;
    }
    const timer = setInterval(() => {
      const long = this.#long.tryAcquire();
      if (long === undefined) return;
      clearInterval(timer);
      permit[Symbol.dispose]();
      permit = long;
    }, this.limits.longAfterMs ?? LONG_AFTER_MS);
    const walk = new Walk({ system: this.system, signal, maxMs: this.limits.maxWalkMs });
    walk.ended.then(() => {
      clearInterval(timer);
      permit[Symbol.dispose]();
    });
    return new Streamed(await walk.start(task, this.#pool), walk.ended);
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }
}

function tooMany(): ServiceError {
  return new ServiceError(
    "unavailable",
    `${MAX_WAITING} searches are already queued: try again later`,
  );
}

// One walk in a worker: streams its chunks, reports its end, and stops it on request.

interface WalkOptions {
  readonly system: Platform["system"];
  readonly signal: AbortSignal;
  /** The longest time that the walk may take, in milliseconds. */
  readonly maxMs: number;
}

class Walk {
  /** Resolves when the worker has finished with this walk. */
  readonly ended: Promise<void>;
  readonly #end: () => void;
  readonly #allowed = new Int32Array(new SharedArrayBuffer(4));
  readonly #first = Promise.withResolvers<void>();
  /** Makes the pool stop the walk, or terminate a worker in which a system call hangs. */
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
    pool.run({ system, task, allowed: this.#allowed }, {
      signal: this.#stopping.signal,
      onMessage: (chunk: Chunk) => this.#take(chunk),
    }).then(() => this.#finish(), (error) => this.#fail(error)).finally(this.#end);
    if (signal.aborted) this.#leave();
    await this.#first.promise;
    return this.#stream;
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
    return this.#stopping.signal.aborted;
  }

  /** Allows as many chunks as the stream has room for. */
  #allow(): void {
    const room = Math.max(0, this.#controller.desiredSize ?? 0);
    Atomics.store(this.#allowed, 0, this.#received + room);
    Atomics.notify(this.#allowed, 0);
  }

  #stop(): void {
    this.#stopping.abort();
    Atomics.add(this.#allowed, 0, 1); // wakes a waiting walk
    Atomics.notify(this.#allowed, 0);
  }

  /** The reader is gone, so no error is reported. */
  #leave = (): void => {
    this.#abandon(this.options.signal.reason, () => this.#controller.close());
  };

  #expire(): void {
    const seconds = this.options.maxMs / 1000;
    const error = new ServiceError(
      "timed_out",
      `The search takes longer than ${seconds} s: start at a smaller folder`,
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
    this.#release();
    this.#begin();
    if (!this.#isStopped) this.#controller.close();
  }

  #fail(error: unknown): void {
    this.#release();
    if (this.#isStopped) return;
    if (this.#started) this.#controller.error(error);
    else this.#first.reject(error);
  }

  #release(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.options.signal.removeEventListener("abort", this.#leave);
  }
}
