/** One walk by a worker: its chunks as a stream, its end, and how it is stopped. */

import { ServiceError } from "../../../core/errors.ts";
import type { Platform } from "../../../platform/types/mod.ts";
import {
  Cell,
  CELLS,
  type Failure,
  MAX_WAITING_CHUNKS,
  type Order,
  type Report,
  type WalkTask,
} from "./protocol.ts";

type Chunk = Uint8Array<ArrayBuffer>;

/** How long a worker that was told to stop may go on before it is ended, in milliseconds. */
const STOP_MS = 1_000;

export interface WalkOptions {
  readonly system: Platform["system"];
  readonly signal: AbortSignal;
  /** How long it may take. */
  readonly maxMs: number;
}

export class Walk {
  /** Whether the worker can be used again, when the walk is over. */
  readonly ended: Promise<boolean>;
  readonly #end: (usable: boolean) => void;
  readonly #shared = new Int32Array(new SharedArrayBuffer(4 * CELLS));
  readonly #first = Promise.withResolvers<void>();
  #controller!: ReadableStreamDefaultController<Chunk>;
  readonly #stream: ReadableStream<Chunk>;
  #received = 0;
  #started = false;
  #over = false;
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(readonly worker: Worker, private readonly options: WalkOptions) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.ended = promise;
    this.#end = resolve;
    this.#stream = new ReadableStream<Chunk>({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#allow(),
      cancel: () => this.#stop(),
    }, { highWaterMark: MAX_WAITING_CHUNKS });
  }

  /** Resolves with the stream when the walk has something to say. */
  async start(task: WalkTask): Promise<ReadableStream<Chunk>> {
    const { worker, options: { signal, maxMs } } = this;
    worker.onmessage = ({ data }: MessageEvent<Report>) => this.#take(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new Error(`A walking worker failed: ${event.message}`), "broken");
    };
    signal.addEventListener("abort", this.#leave);
    this.#timers.push(setTimeout(() => this.#expire(), maxMs));
    const order: Order = { system: this.options.system, task, shared: this.#shared };
    worker.postMessage(order);
    if (signal.aborted) this.#leave();
    await this.#first.promise;
    return this.#stream;
  }

  /** It goes on after {@link resume}: from the next folder on the worker waits. */
  pause(): void {
    if (!this.#isStopped) Atomics.store(this.#shared, Cell.paused, 1);
  }

  resume(): void {
    Atomics.store(this.#shared, Cell.paused, 0);
    Atomics.notify(this.#shared, Cell.paused);
  }

  #take(report: Report): void {
    if ("chunk" in report) {
      this.#begin();
      this.#received++;
      if (!this.#over && !this.#isStopped) this.#controller.enqueue(report.chunk);
    } else if ("failed" in report) this.#fail(errorOf(report.failed), "usable");
    else {
      this.#begin();
      this.#finish("usable", () => this.#isStopped || this.#controller.close());
    }
  }

  #begin(): void {
    this.#started = true;
    this.#first.resolve();
  }

  get #isStopped(): boolean {
    return Atomics.load(this.#shared, Cell.stop) === 1;
  }

  /** As many chunks as the stream still has room for. */
  #allow(): void {
    const room = Math.max(0, this.#controller.desiredSize ?? 0);
    Atomics.store(this.#shared, Cell.allowed, this.#received + room);
    Atomics.notify(this.#shared, Cell.allowed);
  }

  /** Tells the worker; one that does not listen, because a call of the system hangs, is ended. */
  #stop(): void {
    Atomics.store(this.#shared, Cell.stop, 1);
    this.resume(); // one that is paused has to see it
    Atomics.add(this.#shared, Cell.allowed, 1); // one that waits wakes up and sees it
    Atomics.notify(this.#shared, Cell.allowed);
    this.#timers.push(setTimeout(() => this.#finish("broken"), STOP_MS));
  }

  /** Nobody reads any more, so that nobody is told. */
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

  /** The caller is answered at once, and the worker is told to stop. */
  #abandon(error: unknown, endStream: () => void): void {
    if (this.#over || this.#isStopped) return;
    if (this.#started) endStream();
    else this.#first.reject(error);
    this.#stop();
  }

  #fail(error: unknown, state: "usable" | "broken"): void {
    if (this.#isStopped) return this.#finish(state);
    this.#finish(state, () => {
      if (this.#started) this.#controller.error(error);
      else this.#first.reject(error);
    });
  }

  #finish(state: "usable" | "broken", last?: () => void): void {
    if (this.#over) return;
    this.#over = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.options.signal.removeEventListener("abort", this.#leave);
    last?.();
    this.#end(state === "usable");
  }
}

/** The error as it was thrown in the worker, as far as its reader looks at it. */
function errorOf({ name, message, code }: Failure): Error {
  const error = Object.assign(new Error(message), { name });
  return code === undefined ? error : Object.assign(error, { code });
}
