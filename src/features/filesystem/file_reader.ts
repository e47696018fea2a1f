/** Reads a file from its start or any offset, and never waits for bytes that may never come. */

import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { type FileAction, systemCode, translating } from "./file_errors.ts";
import { openAtOnce } from "./open_at_once.ts";
import { openFile } from "./open_file.ts";

export interface FileReader extends AsyncDisposable {
  /** In bytes; 0 for what the kernel makes up while it is read. */
  readonly size: number;
  /** `false` where no file can be so long. */
  seek(offset: number): Promise<boolean>;
  /** How many bytes have been read; `null` at the end. */
  read(into: Uint8Array): Promise<number | null>;
}

/** @throws ServiceError for a folder, a FIFO, a socket, a device, and what may not be opened. */
export async function openReader(attempt: FileAction): Promise<FileReader> {
  const { file, info } = await openFile(attempt, { read: true });
  if (info.size > 0) return new PlainReader(file, info.size);
  file.close();
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0); // which Windows does not have
  return new KernelReader(await translating(attempt, () => openAtOnce(attempt.path, flags)));
}

class PlainReader implements FileReader {
  constructor(private readonly file: Deno.FsFile, readonly size: number) {}

  async seek(offset: number): Promise<boolean> {
    try {
      await this.file.seek(offset, Deno.SeekMode.Start);
      return true;
    } catch (error) {
      if (systemCode(error) === "EINVAL") return false;
      throw error;
    }
  }

  async read(into: Uint8Array): Promise<number | null> {
    return await this.file.read(into);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.file.close();
    return Promise.resolve();
  }
}

/** Files without a size are empty, or made up by the kernel: its log waits for the next line. */
class KernelReader implements FileReader {
  readonly size = 0;
  #position: number | null = null;

  constructor(private readonly file: FileHandle) {}

  seek(offset: number): Promise<boolean> {
    if (offset > 0) this.#position = offset;
    return Promise.resolve(true);
  }

  async read(into: Uint8Array): Promise<number | null> {
    const { bytesRead } = await this.file.read(into, 0, into.length, this.#position);
    if (this.#position !== null) this.#position += bytesRead;
    return bytesRead === 0 ? null : bytesRead;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.file.close();
  }
}
