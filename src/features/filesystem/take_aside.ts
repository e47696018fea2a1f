/** Takes a file or folder away from its name in one step, so that it goes wholly or not at all. */

import { dirname } from "node:path";
import { log } from "../../core/log.ts";
import { isThere } from "./safe_write/create_file.ts";
import type { Journaling } from "./safe_write/journal.ts";
import { besides } from "./safe_write/names.ts";
import { removeIfThere, syncFolder } from "./safe_write/temporary.ts";

/**
 * Runs `work` while `path` has another name beside its own, and removes it when that went well. It has its own name back
 * when the work fails, or after a crash in the middle of it; where another program has taken the name, it stays aside.
 * @throws the system's error when it cannot be taken away; nothing has changed then.
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
  // from here on a crash must finish the removal; where that cannot be noted, it takes it back, which loses nothing
  await journal.replace(id, { kind: "temporary", path: aside, target: path }).catch(() => {});
  if (await isRemoved(aside)) journal.end(id);
}

async function giveBack(aside: string, path: string): Promise<void> {
  if (await isThere(path)) {
    log.warn("a file that was moved aside stays there", { path, saved: aside });
  } else {
    await Deno.rename(aside, path);
    await syncFolder(dirname(path));
  }
}

/** What is left, the journal remembers: the next start tries again. */
async function isRemoved(aside: string): Promise<boolean> {
  try {
    await removeIfThere(aside);
    await syncFolder(dirname(aside));
    return true;
  } catch (error) {
    log.warn("cannot remove what was moved, the next start tries again", {
      path: aside,
      error: String(error),
    });
    return false;
  }
}
