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
const FULL = `${MAX_WAITING} searches are already queued: try again later`;
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

  constructor(private readonly system: Platform["system"], private readonly limits: WalkerLimits) {
    const { maxWalks } = limits;
    this.#begun = new Semaphore({
      capacity: maxWalks,
      maxWaiting: MAX_WAITING,
      full: () => new ServiceError("unavailable", FULL),
    });
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
    const { system, limits: { maxWalkMs: maxMs } } = this;
    const { stream, ended } = startWalk({ system, task }, { pool: this.#pool, signal, maxMs });
    ended.then(() => {
      clearInterval(timer);
      permit[Symbol.dispose]();
    });
    return new Streamed(await stream, ended);
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }
}

// One walk in a worker: streams its chunks, reports its end, and stops it on request.

interface WalkOptions {
  readonly pool: WorkerPool<Order, void>;
  readonly signal: AbortSignal;
  /** The longest time that the walk may take, in milliseconds. */
  readonly maxMs: number;
}

interface RunningWalk {
  /** Resolves when the walk has its first output. */
  readonly stream: Promise<ReadableStream<Chunk>>;
  /** Resolves when the worker has finished with this walk. */
  readonly ended: Promise<void>;
}

/** Allows a walk that waits for its reader to go on, which is to notice that it has been stopped. */
const WITHOUT_LIMIT = 2 ** 31 - 1;

function startWalk(
  order: Omit<Order, "allowed">,
  { pool, signal, maxMs }: WalkOptions,
): RunningWalk {
  const allowed = new Int32Array(new SharedArrayBuffer(4));
  const allow = (chunks: number) => {
    Atomics.store(allowed, 0, chunks);
    Atomics.notify(allowed, 0);
  };
  // makes the pool stop the walk, or terminate a worker in which a system call hangs
  const stopping = new AbortController();
  const stop = () => {
    stopping.abort();
    allow(WITHOUT_LIMIT);
  };
  let received = 0;
  let controller!: ReadableStreamDefaultController<Chunk>;
  const stream = new ReadableStream<Chunk>({
    start: (own) => void (controller = own),
    pull: () => allow(received + Math.max(0, controller.desiredSize ?? 0)),
    cancel: stop,
  }, { highWaterMark: MAX_WAITING_CHUNKS });
  const first = Promise.withResolvers<ReadableStream<Chunk>>();
  const take = (chunk: Chunk) => {
    received++;
    first.resolve(stream);
    if (!stopping.signal.aborted) controller.enqueue(chunk);
  };
  const fail = (error: unknown, endStream = () => controller.error(error)) => {
    if (stopping.signal.aborted) return;
    if (received > 0) endStream();
    else first.reject(error);
    stop();
  };
  const leave = () => fail(signal.reason, () => controller.close()); // nobody reads an error
  const late = `The search takes longer than ${maxMs / 1000} s: start at a smaller folder`;
  const timer = setTimeout(() => fail(new ServiceError("timed_out", late)), maxMs);
  signal.addEventListener("abort", leave);
  const release = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  };
  const finish = () => {
    first.resolve(stream);
    if (!stopping.signal.aborted) controller.close();
  };
  const ended = pool.run({ ...order, allowed }, { signal: stopping.signal, onMessage: take })
    .finally(release)
    .then(finish, fail);
  return { stream: first.promise, ended };
}
