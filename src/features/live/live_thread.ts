/** The thread of one watched display, as the thread that answers requests uses it. */

import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { WorkerPool } from "../../core/worker_thread.ts";
import type { FromThread, LivePicture } from "./live_picture.ts";

/** What the thread does, by the methods of its {@link LivePicture}. */
type Jobs = Omit<LivePicture, "onChange" | "onCopy">;
type Input<Name extends keyof Jobs> = Parameters<Jobs[Name]>[0];

/** `serve` lasts as long as the thread, and reports what viewers are sent. */
export type LiveJob =
  | { readonly name: "serve"; readonly input?: undefined }
  | { readonly name: keyof Jobs; readonly input: Input<keyof Jobs> };

/** A thread that does not end by itself is ended after this time. */
const CLOSE_TIMEOUT_MS = 2_000;

export class LiveThread implements AsyncDisposable {
  readonly #pool = new WorkerPool<LiveJob, unknown>({
    module: new URL("./live_worker.ts", import.meta.url),
    name: "live picture",
    threads: 1,
    jobsEach: Infinity,
  });

  /** @param onMessage called with each message for a viewer, in their order */
  constructor(onMessage: (news: FromThread) => void) {
    // other jobs would wait for ever, or start a thread that serves nobody
    this.#pool.run({ name: "serve" }, { onMessage }).catch((error) => this.#pool.end(error));
  }

  /** Why it has ended; then it has no picture and no viewers any more. */
  get failure(): unknown {
    return this.#pool.failure;
  }

  /** @throws ServiceError of the job; `internal` when the thread crashed */
  async ask<Name extends keyof Jobs>(
    name: Name,
    input: Input<Name>,
  ): Promise<Awaited<ReturnType<Jobs[Name]>>> {
    if (this.failure !== undefined) throw this.failure; // a new thread would know nothing
    return await this.#pool.run({ name, input }) as Awaited<ReturnType<Jobs[Name]>>;
  }

  /** Sends what needs no answer: a thread that has failed is replaced by who captures. */
  post<Name extends keyof Jobs>(name: Name, input: Input<Name>): void {
    this.ask(name, input).catch(() => {});
  }

  /** Memory that is shared with an X server stays mapped unless the thread gives it back. */
  async [Symbol.asyncDispose](): Promise<void> {
    await within(this.ask("close", undefined).catch(() => {}), CLOSE_TIMEOUT_MS);
    this.#pool.end(new ServiceError("unavailable", "The display is not watched any more"));
  }
}
