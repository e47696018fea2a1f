/** The queue that keeps the input of one display in order: one operation sends at a time, confirmations overlap. */

import { ServiceError } from "../../core/errors.ts";

/** Somebody who waits for the answer; `signal` aborts when that client goes away. */
export interface Client {
  readonly signal: AbortSignal;
}

/** The right to send input to one display, until the body that got it has returned. */
export class Turn {
  #controller: AbortController | undefined;
  #reason: unknown;

  constructor(private readonly client: Client) {}

  /** Aborts when the client goes away or release-all ends the turn. Made on first use. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
      const client = this.client.signal;
      if (client.aborted) this.#controller.abort(clientGone());
      else {
        client.addEventListener("abort", () => this.#controller!.abort(clientGone()), {
          once: true,
        });
      }
    }
    return this.#controller.signal;
  }

  /** Waits; rejects at once when the turn is ended. */
  pause(ms: number): Promise<void> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      }, ms);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  /** What `work` gives; rejects at once when the turn is ended. */
  async until<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    signal.throwIfAborted();
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([work, ended]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  end(reason: unknown): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/** What an operation does with its turn; one that only sends returns at once and costs no promise. */
export type Body<T> = (turn: Turn) => T | Promise<T>;

interface Waiting {
  /** Whether release-all drops it. */
  readonly droppable: boolean;
  start(): void;
  drop(reason: unknown): void;
}

export class InputTurn {
  #current: Turn | undefined;
  #starting = false;
  #waiting: Waiting[] = [];

  constructor(private readonly maxWaiting: number) {}

  /**
   * Runs `body` when all earlier ones have returned.
   * @throws ServiceError `unavailable` when too many wait, `conflict` when release-all drops it.
   */
  run<T>(client: Client, body: Body<T>): T | Promise<T> {
    if (!this.#current) return this.#start(client, body);
    if (this.#waiting.length >= this.maxWaiting) {
      throw new ServiceError(
        "unavailable",
        `Cannot queue the input: ${this.maxWaiting} operations already wait for this display`,
      );
    }
    return this.#enqueue(client, body, { droppable: true });
  }

  /** Ends the running operation, drops the waiting ones, and runs `body` before all that come later. */
  async overtake(body: () => Promise<void>): Promise<void> {
    const reason = new ServiceError("conflict", "Dropped: all input was released meanwhile");
    const [dropped, kept] = [true, false].map((droppable) =>
      this.#waiting.filter((waiting) => waiting.droppable === droppable)
    ) as [Waiting[], Waiting[]];
    this.#waiting = kept;
    for (const waiting of dropped) waiting.drop(reason);
    const nobody = { signal: new AbortController().signal };
    if (!this.#current) return await this.#start(nobody, body);
    const done = this.#enqueue(nobody, body, { droppable: false });
    this.#current.end(reason);
    await done;
  }

  #start<T>(client: Client, body: Body<T>): T | Promise<T> {
    const turn = this.#current = new Turn(client);
    let result: T | Promise<T>;
    try {
      result = body(turn);
    } catch (error) {
      this.#finish();
      throw error;
    }
    if (!(result instanceof Promise)) {
      this.#finish();
      return result;
    }
    return result.finally(() => this.#finish());
  }

  /** Starts the next; in a loop, because one that only sends has finished when its start returns. */
  #finish(): void {
    this.#current = undefined;
    if (this.#starting) return;
    this.#starting = true;
    while (!this.#current && this.#waiting.length > 0) this.#waiting.shift()!.start();
    this.#starting = false;
  }

  #enqueue<T>(
    client: Client,
    body: Body<T>,
    { droppable }: { droppable: boolean },
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const { signal } = client;
      const leave = () => {
        const index = this.#waiting.indexOf(waiting);
        if (index >= 0) this.#waiting.splice(index, 1);
        reject(clientGone());
      };
      const waiting: Waiting = {
        droppable,
        start: () => {
          signal.removeEventListener("abort", leave);
          try {
            resolve(this.#start(client, body));
          } catch (error) {
            reject(error);
          }
        },
        drop: (reason) => {
          signal.removeEventListener("abort", leave);
          reject(reason);
        },
      };
      if (signal.aborted) return reject(clientGone());
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(waiting);
    });
  }
}

function clientGone(): ServiceError {
  return new ServiceError("conflict", "Stopped: the client went away");
}
