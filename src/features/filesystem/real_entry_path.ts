/**
 * The canonical path of an entry: the real path of its folder plus its own name, which may be that
 * of a link.
 */

import { basename, dirname, join } from "node:path";

/**
 * If the folder does not exist: the real path of its deepest existing ancestor, and the rest as
 * written.
 */
export async function realEntryPath(path: string): Promise<string> {
  if (dirname(path) === path) return path;
  return join(await realFolderPath(dirname(path)), basename(path));
}

async function realFolderPath(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch {
    // the work itself reports what is wrong with the path
    return await realEntryPath(path);
  }
}

/** The real path of the deepest existing folder, searching upwards from the folder of `path`. */
export async function nearestRealFolder(path: string): Promise<string> {
  const folder = dirname(path);
  try {
    return await Deno.realPath(folder);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) || dirname(folder) === folder) throw error;
    return await nearestRealFolder(folder);
  }
}
