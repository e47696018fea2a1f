/** The events of one window, in their order, for somebody who waits for each of them. */

import { ServiceError } from "../../../../core/errors.ts";
import { within } from "../../../../core/deadline.ts";
import { silentOwner } from "../../clipboard/reading_errors.ts";
import type { XEvent } from "../client.ts";
import type { X11Connection } from "../connection.ts";

export interface Waiting {
  readonly idleMs: number;
  readonly signal?: AbortSignal | undefined;
}

export class EventQueue implements Disposable {
  #events: XEvent[] = [];
  #wake = Promise.withResolvers<void>();
  readonly #atLoss = () => this.#wake.resolve();
  readonly #listener = (event: XEvent) => {
    if (!this.concerns(event)) return;
    this.#events.push(event);
    this.#wake.resolve();
  };

  constructor(
    private readonly connection: X11Connection,
    private readonly concerns: (event: XEvent) => boolean,
  ) {
    connection.onEvent(this.#listener);
    connection.onLoss(this.#atLoss);
  }

  /** Forgets the events that have arrived. */
  clear(): void {
    this.#events = [];
  }

  /**
   * Resolves with the next event.
   * @throws ServiceError `timed_out`; `unavailable`: the server has gone; the signal's reason
   */
  async next({ idleMs, signal }: Waiting): Promise<XEvent> {
    while (this.#events.length === 0) {
      signal?.throwIfAborted();
      if (!this.connection.connected) {
        throw new ServiceError("unavailable", "The X server went away; try again");
      }
      this.#wake = Promise.withResolvers();
      const isInTime = await within(this.#wake.promise, idleMs, signal);
      signal?.throwIfAborted();
      if (!isInTime) throw silentOwner(idleMs);
    }
    return this.#events.shift()!;
  }

  [Symbol.dispose](): void {
    this.connection.offEvent(this.#listener);
    this.connection.offLoss(this.#atLoss);
  }
}
