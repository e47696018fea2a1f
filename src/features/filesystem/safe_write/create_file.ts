/** Makes a new file so that it appears whole or not at all, and never over another one. */

import { dirname } from "node:path";
import { systemCode } from "../../../file_errors.ts";
import { type Content, writeContent } from "./content.ts";
import type { Journal } from "./journal.ts";
import { syncFolder, withTemporary } from "./temporary.ts";

/** File systems without hard links. */
const NO_LINKS: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "EMLINK",
  "ENOSYS",
]);

/**
 * Makes the file and the folders above it; gives the hash of its bytes. Where it fails, the folders that it made are gone again.
 * @throws Deno.errors.AlreadyExists when something is there.
 */
export async function createFile(
  journal: Journal,
  path: string,
  content: Content,
): Promise<string> {
  return await withParents(path, async () => {
    const hash = await withTemporary(journal, path, async (temporary) => {
      const written = await writeNew(temporary, content);
      await appear(temporary, path);
      return written;
    });
    await syncFolder(dirname(path));
    return hash;
  });
}

/** Runs `work` with the folders above `path` there; those that were made are removed again if it fails. */
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
  try {
    await Deno.mkdir(folder);
    made.push(folder);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return;
    if (!(error instanceof Deno.errors.NotFound) || dirname(folder) === folder) {
      if (await isFolder(folder)) return; // one that is there may refuse for another reason: a read-only system
      throw error;
    }
    await makeFolders(dirname(folder), made);
    await makeFolders(folder, made);
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch {
    return false;
  }
}

async function writeNew(path: string, content: Content): Promise<string> {
  using file = await Deno.open(path, { createNew: true, write: true });
  const hash = await writeContent(file, content);
  await file.sync();
  return hash;
}

/** A hard link fails where something is there; a rename would replace it. */
async function appear(temporary: string, path: string): Promise<void> {
  try {
    await Deno.link(temporary, path);
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error))) throw error;
    if (await isThere(path)) throw new Deno.errors.AlreadyExists(path, { cause: error });
    await Deno.rename(temporary, path);
  }
}

/** Whether anything has this name, be it a link that leads nowhere. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
