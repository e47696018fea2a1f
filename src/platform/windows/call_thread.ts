/** A thread for calls that wait for other programs: each has a time limit, and none holds up others. */

import { abortAfter } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { WorkerPool } from "../../core/worker_thread.ts";
import type { ClipboardContent } from "../types/mod.ts";

/** What a thread calls; each kind has a thread of its own. */
export type KindOfCall = "clipboard" | "element" | "window";

/** A method of what the thread has opened. */
export interface Call {
  readonly kind: KindOfCall;
  readonly method: string;
  readonly args: readonly unknown[];
}

interface CallThreadOptions {
  readonly kind: KindOfCall;
  /** The time limit of a call that has none of its own, in milliseconds. */
  readonly callMs: number;
  /** What the message says of a call that is late: `The program did not respond`. */
  readonly late: string;
  /** A thread whose call does not stop for so many milliseconds is given up. */
  readonly stopMs: number;
  /** A thread is ended after so many milliseconds without a call. */
  readonly idleMs: number;
}

interface CallOptions {
  /** The time limit, in milliseconds. */
  readonly ms?: number;
  readonly transfer?: readonly Transferable[];
}

/** @typeParam Calls what the thread opens: functions of what can be sent, and of {@link IsStopped} */
export class CallThread<Calls> implements Disposable {
  readonly #pool: WorkerPool<Call, unknown>;

  constructor(private readonly options: CallThreadOptions) {
    const module = new URL("./call_worker.ts", import.meta.url);
    this.#pool = new WorkerPool({ ...options, module, name: options.kind, threads: 1 });
  }

  /** @throws ServiceError `timed_out`; the signal's reason */
  async call<Method extends string & keyof Calls>(
    method: Method,
    args: Sent<Calls[Method]>,
    signal: AbortSignal,
    options: CallOptions = {},
  ): Promise<Returned<Calls[Method]>> {
    const { ms = this.options.callMs, transfer = [] } = options;
    const late = new ServiceError("timed_out", `${this.options.late} within ${ms} ms`);
    using waiting = abortAfter(ms, signal, late);
    const call = { kind: this.options.kind, method, args };
    const result = await this.#pool.run(call, { signal: waiting.signal, transfer });
    return result as Returned<Calls[Method]>;
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }
}

/** The thread adds to the arguments of each call whether its caller has left. */
export type IsStopped = () => boolean;

type Sent<Method> = Method extends (...args: infer Args) => unknown
  ? Args extends readonly [...infer Others, IsStopped] ? Others : Args
  : never;
type Returned<Method> = Method extends (...args: never) => infer Result ? Awaited<Result> : never;

/** The memory of a content, which threads hand over instead of copying it. */
export function listBuffers({ text = [], html = [], png = [] }: ClipboardContent): ArrayBuffer[] {
  return [...new Set([...text, ...html, ...png].map(({ buffer }) => buffer))];
}
