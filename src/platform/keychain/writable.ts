/** Whether a file could be replaced now, without trying it: a probe asks for this every few seconds. */

import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { FileSystem } from "../types/mod.ts";
import { unusable } from "./private_file.ts";

/** Room for a new version of the file beside the old one, at least, in bytes. */
const MIN_ROOM = 64 * 1024;

/** @throws ServiceError `unavailable` when its folder cannot be written to, or is full. */
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

/** The folder, or the deepest one above it that is there. */
async function nearestFolder(path: string): Promise<string> {
  try {
    await Deno.stat(path);
    return path;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) || dirname(path) === path) throw error;
    return await nearestFolder(dirname(path));
  }
}

/** Infinity where the system does not tell. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
