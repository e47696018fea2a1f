/** A new file or folder beside its final place, which is removed again unless it gets there. */

import { log } from "../../../log.ts";
import type { Journal } from "./journal.ts";
import { besides } from "./names.ts";

/**
 * Runs `work` with the path of a temporary file in the folder of `path`. The journal knows it before it is made;
 * afterwards, whether it was renamed away or not, nothing of it is left.
 */
export async function withTemporary<T>(
  journal: Journal,
  path: string,
  work: (temporary: string) => Promise<T>,
): Promise<T> {
  const temporary = besides(path);
  const id = await journal.begin({ kind: "temporary", path: temporary, target: path });
  try {
    return await work(temporary);
  } finally {
    // what was done is done, whether this succeeds or not: what is left now, the journal remembers
    if (await removed(temporary)) journal.end(id);
  }
}

async function removed(temporary: string): Promise<boolean> {
  try {
    await removeIfThere(temporary);
    return true;
  } catch (error) {
    log.warn("cannot remove a temporary file, the next start tries again", {
      path: temporary,
      error: String(error),
    });
    return false;
  }
}

/** Makes what is in the folder last through a power failure, where the system can do that. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    using handle = await Deno.open(folder);
    await handle.sync();
  } catch {
    // the change is made; a folder that may not be read, or a system without this call, is no failure of it
  }
}

/** Removes a file or a whole folder. */
export async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
