/** A worker thread that takes jobs; started with the first one, and again after it broke. */

import { startWorker } from "../../core/start_worker.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Reading, ScreenAddress } from "../../platform/types/mod.ts";
import { errorOf, type Reply, type Request } from "./job_messages.ts";
import type { JobName, Jobs } from "./jobs.ts";

/** Jobs that run at once: enough to capture one picture while the one before is compressed. */
const AT_ONCE = 3;
/** More than this wait for nobody. */
const MAX_WAITING = 1_000;

interface Waiting {
  readonly request: Request;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class JobWorker implements Disposable {
  #worker: Worker | undefined;
  #lastId = 0;
  readonly #running = new Map<number, Waiting>();
  readonly #queue: Waiting[] = [];

  /** @param told hears with every answer how the screen was read, where that is known */
  constructor(private readonly told: (screen: ScreenAddress, reading: Reading) => void) {}

  /**
   * A job whose signal aborts is not begun; one that runs already is no longer waited for.
   * @throws ServiceError `unavailable` when too many wait; whatever the job throws; the signal's reason.
   */
  run<N extends JobName>(
    name: N,
    screen: ScreenAddress,
    job: Jobs[N]["in"],
    signal?: AbortSignal,
  ): Promise<Jobs[N]["out"]> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#queue.length >= MAX_WAITING) {
      const message = `${MAX_WAITING} pictures are waited for already: try again later`;
      return Promise.reject(new ServiceError("unavailable", message));
    }
    const { promise, resolve, reject } = Promise.withResolvers<Jobs[N]["out"]>();
    const request = { id: ++this.#lastId, name, screen, job };
    const waiting: Waiting = { request, resolve: resolve as Waiting["resolve"], reject };
    this.#queue.push(waiting);
    this.#next();
    if (signal === undefined) return promise;
    const leave = () => {
      const at = this.#queue.indexOf(waiting);
      if (at >= 0) this.#queue.splice(at, 1);
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave);
    return promise.finally(() => signal.removeEventListener("abort", leave));
  }

  [Symbol.dispose](): void {
    this.#break(new ServiceError("unavailable", "The service is stopping"));
  }

  #next(): void {
    while (this.#running.size < AT_ONCE) {
      const waiting = this.#queue.shift();
      if (!waiting) return;
      try {
        this.#worker ??= this.#start();
      } catch (error) {
        waiting.reject(error as Error);
        continue;
      }
      this.#running.set(waiting.request.id, waiting);
      this.#worker.postMessage(waiting.request);
    }
  }

  #start(): Worker {
    const worker = startWorker(new URL("./picture_worker.ts", import.meta.url));
    worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#finish(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#break(new ServiceError("internal", `The picture worker broke: ${event.message}`));
    };
    return worker;
  }

  #finish(reply: Reply): void {
    const waiting = this.#running.get(reply.id);
    this.#running.delete(reply.id);
    if (waiting && reply.reading) this.told(waiting.request.screen, reply.reading);
    if ("failure" in reply) waiting?.reject(errorOf(reply.failure));
    else waiting?.resolve(reply.result);
    this.#next();
  }

  #break(error: Error): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    const all = [...this.#running.values(), ...this.#queue];
    this.#running.clear();
    this.#queue.length = 0;
    for (const waiting of all) waiting.reject(error);
  }
}
