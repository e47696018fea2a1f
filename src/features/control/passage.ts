/** One operation from its start to its answer: it is ended when its caller may no longer act. */

import type { ServiceError } from "../../core/errors.ts";
import type { Group } from "../../core/groups.ts";
import type { Actor } from "../actor.ts";
import type { NamedOperation } from "../call_names.ts";

/** What decides whether an operation may run. */
export interface ControlledOperation extends NamedOperation {
  readonly readOnly: boolean;
  /** The other groups that it uses with these fields. */
  uses?(input: unknown): readonly Group[];
}

export class Passage implements Disposable {
  #over: ServiceError | undefined;
  #hasLeft = false;
  #onOver: Set<(reason: ServiceError) => void> | undefined;
  #left: PromiseWithResolvers<void> | undefined;
  #signal: AbortSignal | undefined;
  #leave: (() => void) | undefined;

  /** @param running all that can be ended, of which it is one until it is disposed */
  constructor(
    readonly operation: ControlledOperation,
    readonly actor: Actor,
    private readonly running?: Set<Passage>,
    /** On which it acts, or would if there were one of that name. */
    readonly desk?: string,
  ) {
    running?.add(this);
  }

  /** Why it is over: what it gave must not be answered then. */
  get over(): ServiceError | undefined {
    return this.#over;
  }

  /** @throws ServiceError `locked` when it is over */
  check(): void {
    if (this.#over !== undefined) throw this.#over;
  }

  /** Calls `stop` once when it is over, unless it has left before. */
  onOver(stop: (reason: ServiceError) => void): void {
    if (this.#over !== undefined) stop(this.#over);
    else if (!this.#hasLeft) (this.#onOver ??= new Set()).add(stop);
  }

  /** Aborts with the signal of its caller, and when it is over. Created on first use. */
  signalWith(caller: AbortSignal): AbortSignal {
    if (this.running === undefined || this.#hasLeft) return caller;
    if (this.#signal !== undefined) return this.#signal;
    const controller = new AbortController();
    const leave = () => controller.abort(caller.reason);
    if (caller.aborted) leave();
    else caller.addEventListener("abort", leave, { once: true });
    this.#leave = () => caller.removeEventListener("abort", leave);
    this.onOver((reason) => controller.abort(reason));
    return this.#signal = controller.signal;
  }

  /** Resolves when nothing of it runs any more. */
  get left(): Promise<void> {
    if (this.#hasLeft) return Promise.resolve();
    this.#left ??= Promise.withResolvers();
    return this.#left.promise;
  }

  end(reason: ServiceError): void {
    if (this.#over !== undefined || this.#hasLeft) return;
    this.#over = reason;
    for (const stop of this.#onOver ?? []) stop(reason);
    this.#onOver = undefined;
  }

  [Symbol.dispose](): void {
    this.#hasLeft = true;
    this.#onOver = undefined;
    this.#leave?.();
    this.running?.delete(this);
    this.#left?.resolve();
  }
}
