/**
 * Limits how many commands run at the same time; further ones wait for a slot in order of arrival.
 */

import { abortAfter, TIME_IS_UP } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { type Place, Semaphore } from "../../core/semaphore.ts";

export interface SlotLimits {
  readonly maxCommands: number;
  readonly maxWaitingCommands: number;
  readonly commandWaitMs: number;
}

export class CommandSlots {
  readonly #places: Semaphore;

  constructor(private readonly limits: SlotLimits) {
    const { maxCommands, maxWaitingCommands } = limits;
    const text = `Cannot queue the command: ${maxWaitingCommands} already wait`;
    this.#places = new Semaphore({
      places: maxCommands,
      maxWaiting: maxWaitingCommands,
      full: () => new ServiceError("unavailable", text),
    });
  }

  /** Number of commands that wait for a slot. */
  get waiting(): number {
    return this.#places.waiting;
  }

  /**
   * Resolves with a slot; waits while all slots are taken.
   * @throws ServiceError `unavailable` when too many commands wait or the wait takes too long,
   * `conflict` when the client disconnects or {@link dropWaiting} is called.
   */
  async take(signal: AbortSignal): Promise<Place> {
    const free = this.#places.tryAcquire();
    if (free !== undefined) return free;
    using waiting = abortAfter(this.limits.commandWaitMs, signal);
    try {
      return await this.#places.acquire(waiting.signal);
    } catch (error) {
      if (signal.aborted) throw new ServiceError("conflict", "The client went away");
      throw error === TIME_IS_UP ? this.#late() : error;
    }
  }

  dropWaiting(reason: ServiceError): void {
    this.#places.drop(reason);
  }

  #late(): ServiceError {
    const { maxCommands, commandWaitMs } = this.limits;
    const text = `Cannot start the command: ${maxCommands} run and none has ended for ${
      commandWaitMs / 1000
    } s: end one by DELETE /api/bash/process/{pid}`;
    return new ServiceError("unavailable", text);
  }
}
