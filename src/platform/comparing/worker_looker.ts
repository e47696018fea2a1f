/** Looks at a screen in a thread of its own, because comparing takes milliseconds that requests would wait for. */

import { startWorker } from "../../core/start_worker.ts";
import { type ErrorCode, ServiceError } from "../../core/errors.ts";
import type { Look, Looker } from "./compared_changes.ts";
import type { CursorState, MeasuredBackend, ScreenAddress } from "../types/mod.ts";

/** What is asked of the worker; answers come in the same order. */
export interface LookRequest {
  readonly ask: "look" | "cursor";
  readonly address: ScreenAddress<MeasuredBackend>;
}

export type LookReply =
  | { readonly result: Look | CursorState }
  | { readonly failure: { readonly code: ErrorCode; readonly message: string } };

type Waiting = PromiseWithResolvers<Look | CursorState>;

export class WorkerLooker implements Looker {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #broken: ServiceError | undefined;

  constructor(private readonly address: ScreenAddress<MeasuredBackend>) {
    this.#worker = startWorker(new URL("./look_worker.ts", import.meta.url));
    this.#worker.onmessage = ({ data }: MessageEvent<LookReply>) => this.#finish(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#break(new ServiceError("internal", `The comparing worker broke: ${event.message}`));
    };
  }

  get connected(): boolean {
    return this.#broken === undefined;
  }

  look(): Promise<Look> {
    return this.#ask("look") as Promise<Look>;
  }

  cursor(): Promise<CursorState> {
    return this.#ask("cursor") as Promise<CursorState>;
  }

  [Symbol.dispose](): void {
    this.#break(new ServiceError("unavailable", "The display is not followed any more"));
  }

  #ask(ask: LookRequest["ask"]): Promise<Look | CursorState> {
    if (this.#broken) return Promise.reject(this.#broken);
    const waiting: Waiting = Promise.withResolvers();
    this.#waiting.push(waiting);
    this.#worker.postMessage({ ask, address: this.address } satisfies LookRequest);
    return waiting.promise;
  }

  #finish(reply: LookReply): void {
    const waiting = this.#waiting.shift();
    if ("result" in reply) waiting?.resolve(reply.result);
    else waiting?.reject(new ServiceError(reply.failure.code, reply.failure.message));
  }

  #break(error: ServiceError): void {
    this.#broken ??= error;
    this.#worker.terminate();
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#broken);
  }
}
