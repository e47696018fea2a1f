/** Makes a new file so that it appears whole or not at all, and never over another one. */

import { dirname } from "node:path";
import { ServiceError } from "../../../core/errors.ts";
import { systemCode } from "../file_errors.ts";
import { type Content, writeContent } from "./content.ts";
import { Descriptor } from "./descriptor.ts";
import type { Journaling } from "./journal.ts";
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
  journal: Journaling,
  path: string,
  content: Content,
): Promise<string> {
  return await withParents(path, async () => {
    const hash = await withTemporary(journal, path, async (temporary) => {
      await using made = await Descriptor.create(temporary, 0o666);
      const written = await writeContent(made, content);
      await made.sync();
      await made.checkStillAt(temporary);
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
  if (await makeFolder(folder, made)) return;
  await makeFolders(dirname(folder), made);
  // once more only: what refuses now would refuse for ever
  if (!await makeFolder(folder, made)) throw new Deno.errors.NotFound(folder);
}

/** False where the folder above is missing. */
async function makeFolder(folder: string, made: string[]): Promise<boolean> {
  try {
    await Deno.mkdir(folder);
    made.push(folder);
    return true;
  } catch (error) {
    // one that is there may also refuse for another reason: a read-only system
    if (await isFolder(folder)) return true;
    if (error instanceof Deno.errors.NotFound && dirname(folder) !== folder) return false;
    if (error instanceof Deno.errors.AlreadyExists) throw await inTheWay(folder);
    throw error;
  }
}

async function inTheWay(path: string): Promise<Error> {
  const { isSymlink } = await Deno.lstat(path);
  if (!isSymlink) return new Deno.errors.NotADirectory(path);
  const message = `Cannot make folder ${
    JSON.stringify(path)
  }: it is a link that leads to no folder`;
  return new ServiceError("not_found", message);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch {
    return false;
  }
}

/** Gives a file its final name. A hard link fails where something is there; a rename would replace it. */
export async function appear(temporary: string, path: string): Promise<void> {
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
