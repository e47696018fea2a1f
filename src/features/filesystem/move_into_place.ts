/** Gives a file or folder its final name; replaces an existing entry only if requested. */

import { systemCode } from "./file_errors.ts";
import type { FileSystem } from "../../platform/types/mod.ts";
import { appear } from "./safe_write/create_file.ts";
import { existsAlready, type Transfer } from "./transfer.ts";

/**
 * @throws ServiceError `already_exists` when another program has created an entry there meanwhile.
 */
export async function moveIntoPlace(
  { exclusiveRename }: Pick<FileSystem, "exclusiveRename">,
  from: string,
  { verb, destination, info, overwrite }: Transfer,
): Promise<void> {
  if (overwrite) return await Deno.rename(from, destination);
  if (exclusiveRename.ready && await exclusiveRename.use(from, destination)) return;
  try {
    await (info.isDirectory ? moveFolderExclusively : moveFileExclusively)(from, destination);
  } catch (error) {
    throw systemCode(error) === "EEXIST" ? existsAlready(verb, destination) : error;
  }
}

/** Renaming replaces an empty folder, and fails if the folder has content. */
async function moveFolderExclusively(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  try {
    await Deno.rename(from, to);
  } catch (error) {
    await Deno.remove(to).catch(() => {});
    throw error;
  }
}

async function moveFileExclusively(from: string, to: string): Promise<void> {
  if (!await appear(from, to)) return;
  try {
    await Deno.remove(from);
  } catch (error) {
    await Deno.remove(to).catch(() => {});
    throw error;
  }
}
