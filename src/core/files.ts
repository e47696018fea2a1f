/** Files and folders by their path: whether something is there, lasting changes, and opening without waiting. */

import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { writeAll } from "./bytes.ts";

/** What has this path, be it a dangling link; `undefined` when there is nothing. */
export async function lstatIfThere(path: string): Promise<Deno.FileInfo | undefined> {
  return await Deno.lstat(path).catch(unlessMissing);
}

/** The same, where links are followed. */
export async function statIfThere(path: string): Promise<Deno.FileInfo | undefined> {
  return await Deno.stat(path).catch(unlessMissing);
}

/** Lets `catch` resolve with `undefined` when there is nothing. */
export function unlessMissing(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

/** The names in a folder in no order; none where there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder)).catch(unlessMissing) ?? [];
  return entries.map(({ name }) => name);
}

/** Whether anything has this path, even a dangling link. */
export async function isThere(path: string): Promise<boolean> {
  return await lstatIfThere(path) !== undefined;
}

/** Removes a file or an empty folder, if it exists. */
export async function removeIfThere(path: string, options?: Deno.RemoveOptions): Promise<void> {
  await Deno.remove(path, options).catch(unlessMissing);
}

/** Whether a process holds the lock of a file: the system releases that of a process that ends. */
export async function isLocked(path: string): Promise<boolean> {
  try {
    // reading, too: whoever only writes waits for the reader of a FIFO
    using file = await Deno.open(path, { read: true, write: true });
    const isFree = await file.tryLock(true);
    if (isFree) await file.unlock(); // a program that starts now has a copy of the descriptor
    return !isFree;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * Writes a file anew, by way of `path.new`: a crash, or a disk that is full, leaves either the old
 * one or the new one, and once this resolves the new one is on the disk. One call at a time for each
 * path.
 * @returns about the new file
 * @throws the system's error
 */
export async function replaceAtomically(
  path: string,
  bytes: Uint8Array,
  mode: number,
): Promise<Deno.FileInfo> {
  const next = `${path}.new`;
  await Deno.remove(next).catch(() => {}); // left by a crash, possibly with other permissions
  try {
    const info = await writeNew(next, bytes, mode);
    await Deno.rename(next, path);
    await syncFolder(dirname(path));
    return info;
  } catch (error) {
    await Deno.remove(next).catch(() => {}); // free the space: the disk may be full
    throw error;
  }
}

async function writeNew(path: string, bytes: Uint8Array, mode: number): Promise<Deno.FileInfo> {
  using file = await Deno.open(path, { write: true, createNew: true, mode });
  await writeAll(file, bytes);
  await file.sync();
  return await file.stat();
}

/**
 * Makes changes to the folder survive a power failure. A folder that cannot be opened is left
 * alone: it is unreadable, or the system (Windows) makes names durable itself.
 */
export async function syncFolder(folder: string): Promise<void> {
  const opening = open(folder, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
  const handle = await opening.catch(() => undefined);
  await handle?.sync().finally(() => handle.close());
}

/** The folder, or its nearest ancestor that exists. */
export async function nearestFolder(path: string): Promise<string> {
  try {
    await Deno.stat(path);
    return path;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) || dirname(path) === path) throw error;
    return await nearestFolder(dirname(path));
  }
}

// Opens files in whose place another program can put something else at any moment: opening never
// waits for the other end of a FIFO, makes no terminal ours, and gives regular files only.

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
