/**
 * Writes lines without ever waiting for the program that reads them: a pipe that nobody empties, or
 * a terminal that is held by Ctrl+S, must not hold up the thread that logs.
 */

import { within } from "./deadline.ts";

/** Most characters that wait; what comes then is dropped and counted. */
const MAX_WAITING = 1_000_000;

export class LineWriter {
  #waiting: string[] = [];
  #size = 0;
  #dropped = 0;
  #writing: Promise<void> | undefined;

  /** @param write writes a part of the bytes, and resolves with how many */
  constructor(private readonly write: (bytes: Uint8Array) => Promise<number>) {}

  /** Takes a line to be written as soon as possible, in the order of the calls; never throws. */
  add(line: string): void {
    if (this.#size + line.length > MAX_WAITING) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(line);
    this.#size += line.length;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when all lines are written, at the latest after `ms` milliseconds. */
  async flush(ms: number): Promise<void> {
    if (this.#writing !== undefined) await within(this.#writing, ms);
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      if (this.#dropped > 0) lines.push(`${this.#dropped} lines of the log were dropped here`);
      [this.#waiting, this.#size, this.#dropped] = [[], 0, 0];
      await this.#writeBytes(new TextEncoder().encode(lines.join("\n") + "\n"));
    }
    this.#writing = undefined; // at once: a line that comes now begins the next writing
  }

  async #writeBytes(bytes: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < bytes.length;) at += await this.write(bytes.subarray(at));
    } catch {
      // the terminal or the reader is gone, so nothing can be reported
    }
  }
}
