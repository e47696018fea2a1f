/** Tidies up after runs that died: removes what they left half made, and gives files written in place their old bytes back. */

import { join } from "node:path";
import type { Log } from "../../../log.ts";
import { contentOf } from "./content.ts";
import {
  type InPlaceRecord,
  JOURNAL_SUFFIX,
  journalFolder,
  type JournalLine,
  type JournalRecord,
} from "./journal.ts";
import { removeIfThere } from "./temporary.ts";
import { overwrite } from "./write_in_place.ts";

/** A mix of old and new bytes is looked for in blocks of this size, for that is how systems write. */
const BLOCK = 4_096;

/** Looks at every journal whose run has ended. Never throws: a service must start with a bad journal, too. */
export async function recover(stateDir: string, log: Pick<Log, "info" | "warn">): Promise<void> {
  const folder = journalFolder(stateDir);
  for (const name of await journalsIn(folder)) {
    try {
      await recoverRun(folder, name.slice(0, -JOURNAL_SUFFIX.length), log);
    } catch (error) {
      log.warn("a journal cannot be worked off", {
        journal: join(folder, name),
        ...stateOf(error),
      });
    }
  }
}

async function journalsIn(folder: string): Promise<string[]> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(folder));
    return entries.map(({ name }) => name).filter((name) => name.endsWith(JOURNAL_SUFFIX));
  } catch {
    return []; // no state yet, or none that we may read
  }
}

async function recoverRun(
  folder: string,
  run: string,
  log: Pick<Log, "info" | "warn">,
): Promise<void> {
  const path = join(folder, run + JOURNAL_SUFFIX);
  using file = await Deno.open(path, { read: true, write: true });
  if (!await file.tryLock(true)) return; // its run is alive
  let left = 0;
  for (const record of unfinished(await Deno.readTextFile(path))) {
    try {
      log.info("tidied up", { path: record.path, outcome: await tidyUp(record) });
    } catch (error) {
      left++;
      log.warn("cannot tidy up, the next start tries again", {
        path: record.path,
        ...stateOf(error),
      });
    }
  }
  if (left > 0) return;
  await removeSideFiles(folder, run);
  await Deno.remove(path);
}

/** The records that have no end; a torn last line is one of which nothing had begun. */
function unfinished(text: string): Iterable<JournalRecord> {
  const open = new Map<number, JournalRecord>();
  for (const line of text.split("\n").slice(0, -1)) {
    const parsed = JSON.parse(line) as JournalLine;
    if ("begin" in parsed) open.set(parsed.begin, parsed.record);
    else open.delete(parsed.end);
  }
  return open.values();
}

async function tidyUp(record: JournalRecord): Promise<string> {
  if (record.kind === "in_place") return await restore(record);
  await removeIfThere(record.path);
  return "removed";
}

/** Only a mix of the old and the new bytes is ours to undo: whatever else is there, somebody has written since. */
async function restore({ path, before, after }: InPlaceRecord): Promise<string> {
  const [old, fresh] = [await readIfThere(before), await readIfThere(after)];
  const now = await readIfThere(path);
  if (old === undefined || fresh === undefined) return "finished before";
  if (now === undefined) return "left alone: it was deleted since";
  if (isSame(now, old) || isSame(now, fresh)) return "finished before";
  if (!isMix(now, old, fresh)) return "left alone: it was changed since";
  await overwrite(path, contentOf(old));
  return "restored";
}

function isMix(now: Uint8Array, old: Uint8Array, fresh: Uint8Array): boolean {
  // it is never shorter than before while it is being written
  if (now.length < old.length || now.length > Math.max(old.length, fresh.length)) return false;
  let torn = 0;
  for (let start = 0; start < now.length; start += BLOCK) {
    const block = now.subarray(start, start + BLOCK);
    if (startsAs(old, start, block) || startsAs(fresh, start, block)) continue;
    if (++torn > 1 || !isTorn(block, old, fresh, start)) return false;
  }
  return true;
}

/** A block that was being written: new bytes, then old ones. */
function isTorn(block: Uint8Array, old: Uint8Array, fresh: Uint8Array, start: number): boolean {
  let index = 0;
  while (index < block.length && block[index] === fresh[start + index]) index++;
  return startsAs(old, start + index, block.subarray(index));
}

function startsAs(whole: Uint8Array, start: number, part: Uint8Array): boolean {
  return isSame(whole.subarray(start, start + part.length), part);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) {
    if (one[index] !== other[index]) return false;
  }
  return true;
}

async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function removeSideFiles(folder: string, run: string): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    if (name.startsWith(`${run}.`) && name.endsWith(".bytes")) {
      await removeIfThere(join(folder, name));
    }
  }
}

function stateOf(error: unknown): { error: string } {
  return { error: error instanceof Error ? error.message : String(error) };
}
