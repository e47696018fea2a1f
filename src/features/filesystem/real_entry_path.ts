/** The one spelling of an entry: the real path of its folder, and its own name, which may be that of a link. */

import { basename, dirname, join } from "node:path";

/** Where the folder is not there, the real path of what is there of it, and the rest as it is written. */
export async function realEntryPath(path: string): Promise<string> {
  if (dirname(path) === path) return path;
  return join(await realFolderPath(dirname(path)), basename(path));
}

async function realFolderPath(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch {
    // what is wrong with it, the work itself will find out
    return await realEntryPath(path);
  }
}

/** The real path of the deepest folder that is there, from the folder of `path` upwards. */
export async function nearestRealFolder(path: string): Promise<string> {
  const folder = dirname(path);
  try {
    return await Deno.realPath(folder);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) || dirname(folder) === folder) throw error;
    return await nearestRealFolder(folder);
  }
}
