/** Gives a file or folder its final name; over something that is there only where that is wanted. */

import { systemCode } from "./file_errors.ts";
import type { FileSystem } from "../../platform/types/mod.ts";
import { isThere } from "./safe_write/create_file.ts";
import { existsAlready, type Transfer } from "./transfer.ts";

/** File systems without hard links, and files that may have none. */
const NO_LINKS: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "EMLINK",
  "ENOSYS",
]);

/** @throws ServiceError `already_exists` when something has appeared there meanwhile. */
export async function place(
  { exclusiveRename }: Pick<FileSystem, "exclusiveRename">,
  from: string,
  { verb, destination, info, overwrite }: Transfer,
): Promise<void> {
  if (overwrite) return await Deno.rename(from, destination);
  if (exclusiveRename.ready && await exclusiveRename.use(from, destination)) return;
  try {
    await (info.isDirectory ? placeFolder : placeFile)(from, destination);
  } catch (error) {
    throw systemCode(error) === "EEXIST" ? existsAlready(verb, destination) : error;
  }
}

/** A rename takes the place of an empty folder, and of nothing that somebody has put something into. */
async function placeFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  try {
    await Deno.rename(from, to);
  } catch (error) {
    await Deno.remove(to).catch(() => {});
    throw error;
  }
}

/** A hard link fails where something is there. */
async function placeFile(from: string, to: string): Promise<void> {
  try {
    await Deno.link(from, to);
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error))) throw error;
    if (await isThere(to)) throw new Deno.errors.AlreadyExists(to, { cause: error });
    return await Deno.rename(from, to);
  }
  try {
    await Deno.remove(from);
  } catch (error) {
    await Deno.remove(to).catch(() => {});
    throw error;
  }
}
