/**
 * Opens files in whose place another program can put something else at any moment: opening never
 * waits for the other end of a FIFO, makes no terminal ours, and gives regular files only.
 */

import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Flags for every open by a path of others; Windows has neither. */
export const NO_WAIT = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

const NOT_REGULAR = "it is not a regular file";

/** @throws the system's error; Error for a folder, a FIFO, a socket or a device */
export async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | NO_WAIT);
  try {
    if (!(await file.stat()).isFile()) throw new Error(NOT_REGULAR);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The descriptor, which the caller closes; else as {@link openRegular}. */
export function openRegularSync(path: string): number {
  const file = openSync(path, constants.O_RDONLY | NO_WAIT);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error(NOT_REGULAR);
}

/** The first bytes, at most `maxBytes`, of a file that may grow meanwhile. */
export async function readStart(
  file: FileHandle,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = await file.stat();
  const bytes = new Uint8Array(Math.min(size, maxBytes));
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}
