/** How many commands run at once, and who waits for a place, in the order of arrival. */

import { ServiceError } from "../../errors.ts";

export interface SlotLimits {
  readonly maxCommands: number;
  readonly maxWaitingCommands: number;
  readonly commandWaitMs: number;
}

interface Waiting {
  admit(): void;
  refuse(reason: unknown): void;
}

export class CommandSlots {
  #taken = 0;
  /** In the order of arrival; a Set, because those who leave may be anywhere in it. */
  readonly #waiting = new Set<Waiting>();

  constructor(private readonly limits: SlotLimits) {}

  /**
   * Resolves with a place, to be given back by {@link free}; waits while all are taken.
   * @throws ServiceError `unavailable` when too many wait or it takes too long, `conflict` when the
   * client leaves or {@link dropWaiting} is called.
   */
  take(signal: AbortSignal): Promise<void> {
    const { maxCommands, maxWaitingCommands } = this.limits;
    if (this.#taken < maxCommands) {
      this.#taken++;
      return Promise.resolve();
    }
    if (this.#waiting.size < maxWaitingCommands) return this.#wait(signal);
    const text = `Cannot queue the command: ${maxWaitingCommands} already wait`;
    return Promise.reject(new ServiceError("unavailable", text));
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waiting.size;
  }

  free(): void {
    this.#taken--;
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#taken++;
    next.admit();
  }

  dropWaiting(reason: ServiceError): void {
    for (const waiting of [...this.#waiting]) waiting.refuse(reason);
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { maxCommands, commandWaitMs } = this.limits;
    return new Promise((resolve, reject) => {
      const leave = () => waiting.refuse(new ServiceError("conflict", "The client went away"));
      const late = () =>
        waiting.refuse(
          new ServiceError(
            "unavailable",
            `Cannot start the command: ${maxCommands} run and none has ended for ${
              commandWaitMs / 1000
            } s: end one by DELETE /api/bash/process/{pid}`,
          ),
        );
      const finish = (end: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        this.#waiting.delete(waiting);
        end();
      };
      const timer = setTimeout(late, commandWaitMs);
      const waiting: Waiting = {
        admit: () => finish(resolve),
        refuse: (reason) => finish(() => reject(reason)),
      };
      this.#waiting.add(waiting);
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave);
    });
  }
}
