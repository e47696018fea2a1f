/** Creates a new file that appears complete or not at all, and never replaces an existing one. */

import { dirname } from "node:path";
import { ServiceError } from "../../../core/errors.ts";
import { removeIfThere, statIfThere } from "../../../core/files.ts";
import type { Content } from "./content.ts";
import type { Journal } from "./journal.ts";
import { appear, type NewFile, trySyncFolder, withNewFile } from "./temporary.ts";

/**
 * Creates the file and any missing folders above it; returns the hash of its bytes. On failure it
 * removes the folders that it created.
 * @throws Deno.errors.AlreadyExists when the path exists.
 */
export async function createFile(
  journal: Journal,
  path: string,
  content: Content,
): Promise<string> {
  return await withParents(path, async () => {
    const hash = await withNewFile(journal, path, { content, mode: 0o666 }, async (file) => {
      await appearAs(path, file);
      return file.hash;
    });
    await trySyncFolder(dirname(path));
    return hash;
  });
}

/** @throws Deno.errors.AlreadyExists when the path exists. */
export async function appearAs(path: string, { temporary, made }: NewFile): Promise<void> {
  await made.handle.sync();
  await made.checkStillAt(temporary);
  if (await appear(temporary, path)) await removeIfThere(temporary).catch(() => {}); // tried again
}

/**
 * Creates the missing folders above `path` and runs `work`; removes the created folders if it
 * fails.
 */
export async function withParents<T>(path: string, work: () => Promise<T>): Promise<T> {
  const made: string[] = [];
  try {
    await makeFolders(dirname(path), made);
    return await work();
  } catch (error) {
    for (const folder of made.reverse()) await Deno.remove(folder).catch(() => {});
    throw error;
  }
}

async function makeFolders(folder: string, made: string[]): Promise<void> {
  if (await makeFolder(folder, made)) return;
  await makeFolders(dirname(folder), made);
  // retries only once: a refusal now would be repeated forever
  if (!await makeFolder(folder, made)) throw new Deno.errors.NotFound(folder);
}

/** `false` if the parent folder is missing. */
async function makeFolder(folder: string, made: string[]): Promise<boolean> {
  try {
    await Deno.mkdir(folder);
    made.push(folder);
    return true;
  } catch (error) {
    // for an existing folder, creation may also fail for another reason: a read-only file system
    const found = await statIfThere(folder);
    if (found?.isDirectory) return true;
    if (error instanceof Deno.errors.NotFound && dirname(folder) !== folder) return false;
    if (error instanceof Deno.errors.AlreadyExists) throw await explainObstacle(folder);
    throw error;
  }
}

async function explainObstacle(path: string): Promise<Error> {
  const { isSymlink } = await Deno.lstat(path);
  if (!isSymlink) return new Deno.errors.NotADirectory(path);
  const message = `Cannot create folder ${
    JSON.stringify(path)
  }: it is a link that leads to no folder`;
  return new ServiceError("not_found", message);
}
