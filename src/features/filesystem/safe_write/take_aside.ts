/** Takes a file or folder away from its name in one step, completely or not at all. */

import { dirname } from "node:path";
import { removeIfThere } from "../../../core/files.ts";
import { log } from "../../../core/log.ts";
import { appear } from "./create_file.ts";
import type { Journal } from "./journal.ts";
import { temporaryName, trySyncFolder } from "./temporary.ts";

/**
 * Runs `work` while the entry at `path` has another name beside its own, and removes the entry on
 * success. If the work fails or the service crashes meanwhile, the entry gets its name back, unless
 * another program has taken that; then it stays aside.
 * @throws the system's error when the entry cannot be moved aside; nothing has changed then.
 */
export async function takeAside(
  journal: Journal,
  path: string,
  work: (aside: string) => Promise<void>,
): Promise<void> {
  const aside = temporaryName(path);
  const entry = await journal.begin({ kind: "aside", path, aside });
  try {
    await Deno.rename(path, aside);
    try {
      await work(aside);
    } catch (error) {
      await giveBack(aside, path);
      throw error;
    }
  } catch (error) {
    entry.end();
    throw error;
  }
  // from here on a crash must complete the removal; if that cannot be recorded, a crash restores
  // the entry, which loses nothing
  await entry.replace({ kind: "temporary", path: aside, target: path }).catch(() => {});
  try {
    await removeIfThere(aside, { recursive: true });
    await trySyncFolder(dirname(aside));
    entry.end();
  } catch (error) { // the journal remembers what is left
    log.warn("cannot remove what was taken aside; the next start tries again", {
      path: aside,
      error: String(error),
    });
  }
}

async function giveBack(aside: string, path: string): Promise<void> {
  try {
    if (await appear(aside, path)) await removeIfThere(aside);
    await trySyncFolder(dirname(path));
  } catch (error) {
    log.warn("a file keeps its temporary name", { path, saved: aside, error: String(error) });
  }
}
