/** Reads a file from any offset, and never waits for bytes that may not arrive. */

import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { NO_WAIT } from "../../core/open_regular.ts";
import { type FileAction, systemCode, translating } from "./file_errors.ts";
import { openAtOnce } from "./open_at_once.ts";
import { checkIsFile } from "./open_file.ts";

export interface FileReader extends AsyncDisposable {
  /** In bytes; 0 for files that the kernel generates on read. */
  readonly size: number;
  /** The next read begins at this offset, in bytes. */
  seek(offset: number): void;
  /** The number of bytes read; `null` at the end. */
  read(into: Uint8Array): Promise<number | null>;
}

/**
 * @throws ServiceError for a folder, a FIFO, a socket, a device, and a file that may not be opened.
 */
export async function openReader(attempt: FileAction): Promise<FileReader> {
  return await translating(attempt, async () => {
    // devices must not be opened, which can have effects; whatever takes the place of the file after
    // this look is found out by the second one
    checkIsFile(attempt, await Deno.stat(attempt.path));
    const file = await openAtOnce(attempt.path, constants.O_RDONLY | NO_WAIT);
    try {
      const info = await file.stat();
      checkIsFile(attempt, { isFile: info.isFile(), isDirectory: info.isDirectory() });
      return new Reader(file, info.size);
    } catch (error) {
      await file.close();
      throw error;
    }
  });
}

class Reader implements FileReader {
  /** `null` is where the last read ended: some files of the kernel cannot be read elsewhere. */
  #position: number | null = null;

  constructor(private readonly file: FileHandle, readonly size: number) {}

  seek(offset: number): void {
    if (offset > 0) this.#position = offset;
  }

  /** Reading the log of the kernel would block until its next line, if opening did not forbid it. */
  async read(into: Uint8Array): Promise<number | null> {
    try {
      const { bytesRead } = await this.file.read(into, 0, into.length, this.#position);
      if (this.#position !== null) this.#position += bytesRead;
      return bytesRead === 0 ? null : bytesRead;
    } catch (error) {
      const isBeyond = this.#position !== null && systemCode(error) === "EINVAL";
      if (isBeyond) return null; // of what any file can have
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.file.close();
  }
}
