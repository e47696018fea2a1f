/** The messages between a pool and its threads; `id` identifies a job, `key` a question. */

import type { SentError } from "./sent_error.ts";

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
  | { readonly id: number; readonly told: unknown }
  | { readonly id: number; readonly key: number; readonly question: unknown }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failed: SentError }
  /** The job has noticed that it was cancelled, and has stopped. */
  | { readonly id: number; readonly stopped: true };
