/**
 * A person's input: one operation after the other, in the order of the page. Of movements that wait,
 * only the last one counts.
 */

import { ServiceError } from "../core/errors.ts";
import type { Actor } from "../features/actor.ts";
import type { Calls } from "../features/context.ts";
import type { InputScope } from "../features/input_scope.ts";
import type { InputMessage } from "./messages.ts";

const MAX_WAITING = 256;

interface QueueOptions {
  readonly calls: Calls;
  readonly actor: Actor;
  /** Aborts when the page has gone. */
  readonly signal: AbortSignal;
  failed(message: InputMessage, error: unknown): void;
}

export class InputQueue implements Disposable {
  readonly #waiting: InputMessage[] = [];
  #isRunning = false;
  /** What this person's operations leave pressed; a new one after everything was released. */
  #scope: InputScope | undefined;

  constructor(private readonly options: QueueOptions) {}

  /** @throws ServiceError `too_many_requests` when the page sends more than can be done */
  add(message: InputMessage): void {
    const last = this.#waiting.at(-1);
    if (message.op === "mouse.move" && last?.op === "mouse.move") this.#waiting.pop();
    if (this.#waiting.length >= MAX_WAITING) {
      throw new ServiceError("too_many_requests", "More input than can be sent: it was dropped");
    }
    this.#waiting.push(message);
    if (!this.#isRunning) this.#run();
  }

  /** Drops what waits, ends what runs, and releases all that this person holds. */
  release(): void {
    this.#waiting.length = 0;
    const scope = this.#scope;
    this.#scope = undefined;
    if (scope === undefined) return;
    scope.end(new ServiceError("conflict", "Dropped: the page has let go of everything"));
    scope.leave();
  }

  [Symbol.dispose](): void {
    this.release();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        await this.#send(next);
      } catch (error) {
        if (!this.options.signal.aborted) this.options.failed(next, error);
      }
    }
    this.#isRunning = false;
  }

  async #send({ op, fields }: InputMessage): Promise<void> {
    const { calls, actor, signal } = this.options;
    const inputScope = this.#openScope();
    await calls.prepare(op, fields).run({ actor, signal: inputScope.signal, inputScope });
    signal.throwIfAborted();
  }

  #openScope(): InputScope {
    if (this.#scope?.signal.aborted) this.release(); // everything was released
    return this.#scope ??= this.options.calls.openInputScope(this.options.signal);
  }
}
