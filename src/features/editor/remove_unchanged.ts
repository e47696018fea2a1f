/**
 * Removes a file only if its content is as expected: moves it aside first, so that no other program
 * can change it by name meanwhile.
 */

import { dirname } from "node:path";
import { ServiceError } from "../../core/errors.ts";
import { hashBytes, readAll } from "../filesystem/safe_write/content.ts";
import { appear } from "../filesystem/safe_write/create_file.ts";
import { Descriptor } from "../filesystem/safe_write/descriptor.ts";
import type { Journaling } from "../filesystem/safe_write/journal.ts";
import { besides } from "../filesystem/safe_write/names.ts";
import { removeIfThere, syncFolder } from "../filesystem/safe_write/temporary.ts";

/** The content that the file must have. */
export interface Known {
  /** In bytes. */
  readonly size: number;
  readonly hash: string;
}

/**
 * Returns whether the file was removed; otherwise it gets its name back. After a crash in between,
 * the next start restores the name.
 */
export async function removeUnchanged(
  journal: Journaling,
  path: string,
  known: Known,
): Promise<boolean> {
  const aside = besides(path);
  const id = await journal.begin({ kind: "aside", path, aside });
  try {
    await Deno.rename(path, aside);
    const unchanged = await holds(aside, known);
    if (!unchanged) await giveBack(aside, path);
    await removeIfThere(aside);
    await syncFolder(dirname(path));
    return unchanged;
  } finally {
    journal.end(id);
  }
}

/** A file that can no longer be read does not count as unchanged. */
async function holds(path: string, known: Known): Promise<boolean> {
  try {
    await using file = await Descriptor.open(path, "read");
    if (await file.size() !== known.size) return false;
    return hashBytes(await readAll(file, known.size, known.size)) === known.hash;
  } catch {
    return false;
  }
}

/**
 * @throws ServiceError `conflict` when another program has taken the name meanwhile; both files are
 * then kept.
 */
async function giveBack(aside: string, path: string): Promise<void> {
  try {
    await appear(aside, path);
  } catch (cause) {
    const message = `Cannot undo in ${JSON.stringify(path)}: somebody else has changed it, ` +
      `and what was there before is in ${JSON.stringify(aside)}`;
    throw new ServiceError("conflict", message, { cause });
  }
}
