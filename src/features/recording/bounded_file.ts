/** A file that grows up to a limit, and no further once it could not be written. */

import { Semaphore } from "../../core/semaphore.ts";
import type { SinkEnd } from "./recorder_messages.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Codes of a full disk, or quota, by system. */
const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const FULL_TEXT = /os error (28|112|122|27)\b/;
const MAX_RESERVE = 1024 * 1024;
const PRIVATE = 0o600;

export class BoundedFile {
  #bytes = 0;
  #isOpen = true;
  #hasFailed = false;
  readonly #order = new Semaphore({ places: 1 });
  readonly #failed = Promise.withResolvers<SinkEnd>();
  /** Settles when the file is nearly full, or cannot be written. */
  readonly failed = this.#failed.promise;

  private constructor(private readonly file: Deno.FsFile, private readonly maxBytes: number) {}

  /** @throws Deno.errors when the file cannot be created */
  static async create(path: string, maxBytes: number): Promise<BoundedFile> {
    const file = await Deno.open(path, { write: true, createNew: true, mode: PRIVATE });
    return new BoundedFile(file, maxBytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether all of it has been written; if not, {@link failed} settles. */
  append(bytes: Bytes): Promise<boolean> {
    return this.#order.run(() => this.#append(bytes));
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.file.close();
  }

  async #append(bytes: Bytes): Promise<boolean> {
    if (this.#hasFailed) return false;
    if (!this.#isOpen || this.#bytes + bytes.length > this.maxBytes) {
      this.#fail({ by: "size_limit", detail: "The recording has reached its largest size" });
      return false;
    }
    try {
      for (let at = 0; at < bytes.length;) {
        const size = await this.file.write(bytes.subarray(at));
        [at, this.#bytes] = [at + size, this.#bytes + size];
      }
    } catch (error) {
      this.#hasFailed = true;
      this.#fail(describeFailure(error));
      return false;
    }
    // what an encoder still holds must fit, too
    if (this.#bytes > this.maxBytes - Math.min(MAX_RESERVE, this.maxBytes / 4)) {
      this.#fail({ by: "size_limit", detail: "The recording has reached its largest size" });
    }
    return true;
  }

  #fail(end: SinkEnd): void {
    this.#failed.resolve(end);
  }
}

function describeFailure(error: unknown): SinkEnd {
  const { message, code } = error as Error & { code?: string };
  if (FULL.has(code ?? "") || FULL_TEXT.test(message)) {
    return { by: "disk_full", detail: `The disk is full: ${message}` };
  }
  return { by: "error", detail: `The recording cannot be written: ${message}` };
}
