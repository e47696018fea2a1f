/** What a pool and its threads say to each other; `id` is that of a job, `key` that of a question of the job. */

import type { SentError } from "./sent_error.ts";

/** To the thread: a job, and the answers to what it asks. */
export type ToThread =
  | {
    readonly id: number;
    readonly job: unknown;
    /** One number that both sides see, for a thread that works reads no messages: 1 when nobody waits for the job any more. */
    readonly stop: Int32Array | undefined;
  }
  | { readonly key: number; readonly answer: unknown }
  | { readonly key: number; readonly failed: SentError };

/** From the thread: what the job tells and asks while it runs, and its end. */
export type FromThread =
  | { readonly id: number; readonly told: unknown }
  | { readonly id: number; readonly key: number; readonly question: unknown }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failed: SentError }
  /** The job has seen that nobody waits for it any more. */
  | { readonly id: number; readonly stopped: true };
