/** Writes text to a command in order, without blocking on a command that does not read. */

import { Buffer } from "node:buffer";
import { encodeText } from "../../core/encode_text.ts";
import { ServiceError } from "../../core/errors.ts";
import { Semaphore } from "../../core/semaphore.ts";
import type { CommandInput } from "../../platform/types/mod.ts";

export class InputQueue {
  readonly #order = new Semaphore({ places: 1 });
  #pendingBytes = 0;
  #closed = false;

  constructor(
    private readonly input: CommandInput,
    private readonly maxPendingBytes: number,
  ) {}

  /**
   * Queues the text for the command.
   * @throws ServiceError `conflict` when its input is closed, `unavailable` when it does not read.
   */
  write(text: string): void {
    if (this.#closed) throw new ServiceError("conflict", "Cannot write: the input is closed");
    const size = Buffer.byteLength(text);
    if (this.#pendingBytes > 0 && this.#pendingBytes + size > this.maxPendingBytes) {
      throw new ServiceError(
        "unavailable",
        `Cannot write: the process has not read ${this.#pendingBytes} bytes of earlier input`,
      );
    }
    this.#pendingBytes += size;
    this.#then(async () => {
      for (const bytes of encodeText(text)) {
        await this.input.write(bytes);
        this.#pendingBytes -= bytes.length;
      }
    });
  }

  /** Closes the input after everything that was queued. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#then(() => this.input.close());
  }

  #then(work: () => Promise<void>): void {
    this.#order.run(work).catch(() => {
      this.#closed = true; // the command no longer reads
    });
  }
}
