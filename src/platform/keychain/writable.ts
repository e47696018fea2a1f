/**
 * Checks without writing whether a file could be replaced now: a probe asks this every few seconds.
 */

import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { FileSystem } from "../types/mod.ts";
import { unusable } from "./private_file.ts";

/** Free space needed for a new version of the file beside the old one, in bytes. */
const MIN_ROOM = 64 * 1024;

/** @throws ServiceError `unavailable` when its folder is not writable, or full */
export async function checkWritable(
  path: string,
  { what, files }: {
    readonly what: string;
    readonly files: Pick<FileSystem, "removability"> | undefined;
  },
): Promise<void> {
  const folder = await nearestFolder(dirname(path));
  const removability = files?.removability;
  if (removability?.ready && !await removability.use.mayChange(folder)) {
    const reason = `nothing can be written to "${folder}", which is read-only or not this user's`;
    throw unusable(path, what, new Error(reason));
  }
  const room = await freeBytes(folder);
  if (room < MIN_ROOM) throw unusable(path, what, new Error(`the disk of "${folder}" is full`));
}

/** The folder, or its nearest ancestor that exists. */
async function nearestFolder(path: string): Promise<string> {
  try {
    await Deno.stat(path);
    return path;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) || dirname(path) === path) throw error;
    return await nearestFolder(dirname(path));
  }
}

/** `Infinity` when the system does not report it. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
