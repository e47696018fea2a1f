/** Takes a file or folder away from its name in one step, completely or not at all. */

import { dirname } from "node:path";
import { log } from "../../core/log.ts";
import { isThere } from "./safe_write/create_file.ts";
import type { Journaling } from "./safe_write/journal.ts";
import { besides } from "./safe_write/names.ts";
import { removeIfThere, syncFolder } from "./safe_write/temporary.ts";

/**
 * Runs `work` while the entry at `path` has another name beside its own, and removes the entry on
 * success. If the work fails or the service crashes meanwhile, the entry gets its name back, unless
 * another program has taken that; then it stays aside.
 * @throws the system's error when the entry cannot be moved aside; nothing has changed then.
 */
export async function takeAside(
  journal: Journaling,
  path: string,
  work: (aside: string) => Promise<void>,
): Promise<void> {
  const aside = besides(path);
  const id = await journal.begin({ kind: "aside", path, aside });
  try {
    await Deno.rename(path, aside);
    try {
      await work(aside);
    } catch (error) {
      await giveBack(aside, path);
      throw error;
    }
  } catch (error) {
    journal.end(id);
    throw error;
  }
  // from here on a crash must complete the removal; if that cannot be recorded, a crash restores
  // the entry, which loses nothing
  await journal.replace(id, { kind: "temporary", path: aside, target: path }).catch(() => {});
  if (await isRemoved(aside)) journal.end(id);
}

async function giveBack(aside: string, path: string): Promise<void> {
  if (await isThere(path)) {
    log.warn("a file keeps its temporary name", { path, saved: aside });
  } else {
    await Deno.rename(aside, path);
    await syncFolder(dirname(path));
  }
}

/** The journal remembers what is left, and the next start tries again. */
async function isRemoved(aside: string): Promise<boolean> {
  try {
    await removeIfThere(aside);
    await syncFolder(dirname(aside));
    return true;
  } catch (error) {
    log.warn("cannot remove what was moved; the next start tries again", {
      path: aside,
      error: String(error),
    });
    return false;
  }
}
