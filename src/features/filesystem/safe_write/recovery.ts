/**
 * Cleans up after crashed runs: removes what is incomplete, and restores the old bytes of files
 * that were being written in place.
 */

import { join } from "node:path";
import type { Log } from "../../../core/log.ts";
import { checkPrivateFolder, isTrusted } from "../../../platform/private_folder.ts";
import { appear, isThere } from "./create_file.ts";
import { type AsideRecord, JOURNAL_SUFFIX, journalFolder, type JournalRecord } from "./journal.ts";
import { finishExchange } from "./finish_exchange.ts";
import { unfinished } from "./journal_lines.ts";
import { type Outcome, restore } from "./restore.ts";
import { removeIfThere } from "./temporary.ts";
import { isOurs, isSideFile } from "./names.ts";

/**
 * Bytes that could not be restored are kept this long, in days: their disk may be mounted later.
 */
const KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Processes every journal whose run has ended. Never throws: the service must start even with a bad
 * journal.
 */
export async function recover(stateDir: string, log: Pick<Log, "info" | "warn">): Promise<void> {
  const folder = journalFolder(stateDir);
  if (!await mayBeTrusted(folder, log)) return;
  for (const name of await journalsIn(folder)) {
    try {
      await recoverRun(folder, name.slice(0, -JOURNAL_SUFFIX.length), log);
    } catch (error) {
      log.warn("a journal cannot be recovered", {
        journal: join(folder, name),
        ...describeFailure(error),
      });
    }
  }
}

/**
 * Rejects folders that another user may have written to: their records must not cause any removal.
 */
async function mayBeTrusted(folder: string, log: Pick<Log, "warn">): Promise<boolean> {
  try {
    await checkPrivateFolder(folder, "journal's folder");
    return true;
  } catch (error) {
    log.warn("the journal of unfinished edits is not looked at", describeFailure(error));
    return false;
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
  const entry = await Deno.lstat(path);
  if (!entry.isFile || !isTrusted(entry)) throw new Error("it is not a file of this user alone");
  using file = await Deno.open(path, { read: true, write: true });
  if (!await file.tryLock(true)) return; // its run is alive
  const lines = unfinished(await Deno.readTextFile(path));
  const records = lines.records.filter((record) => isOurs(record, { folder, run }));
  const unreadable = lines.unreadable + lines.records.length - records.length;
  let left = 0;
  for (const record of records) if (!await isTidied(record, log)) left++;
  if (unreadable > 0) {
    log.warn("a journal has lines that cannot be read", { journal: path, lines: unreadable });
    // they may refer to bytes saved here
    if (!await isOld(path)) left += (await sideFiles(folder, run)).length;
  }
  if (left > 0) return;
  for (const name of await sideFiles(folder, run)) await removeIfThere(join(folder, name));
  await Deno.remove(path);
}

async function isTidied(record: JournalRecord, log: Pick<Log, "info" | "warn">): Promise<boolean> {
  const { path } = record;
  try {
    const { outcome, kept } = await tidyUp(record);
    if (!kept) log.info("cleaned up", { path, outcome });
    return !kept || await isGivenUp(record, outcome, log);
  } catch (error) {
    log.warn("cannot clean up; the next start tries again", { path, ...describeFailure(error) });
    return false;
  }
}

async function tidyUp(record: JournalRecord): Promise<Outcome> {
  if (record.kind === "in_place") return await restore(record);
  if (record.kind === "aside") return await putBack(record);
  if (record.kind === "exchanged") return await finishExchange(record);
  await removeIfThere(record.path);
  return { outcome: "removed" };
}

/** Only if no other program has taken the name since. */
async function putBack({ path, aside }: AsideRecord): Promise<Outcome> {
  if (!await isThere(aside)) return { outcome: "finished before" };
  if (await isThere(path)) return { outcome: "its name is taken", kept: true };
  await appear(aside, path);
  await removeIfThere(aside);
  return { outcome: "put back" };
}

/** Whether saved bytes have been kept long enough; until then, logs where they are. */
async function isGivenUp(
  record: JournalRecord,
  outcome: string,
  log: Pick<Log, "warn">,
): Promise<boolean> {
  const { path } = record;
  if (record.kind === "in_place") {
    const saved = record.before;
    const given = await isOld(saved);
    const event = given
      ? `an unfinished edit is given up after ${KEPT_DAYS} days`
      : `an unfinished edit: the bytes from before it are kept for ${KEPT_DAYS} days`;
    log.warn(event, { path, saved, outcome });
    return given;
  }
  const saved = record.kind === "aside" ? record.aside : path;
  log.warn("a file keeps its temporary name", { path, saved, outcome });
  return true;
}

async function isOld(path: string): Promise<boolean> {
  const { mtime } = await Deno.lstat(path);
  return mtime !== null && Date.now() - mtime.getTime() > KEPT_DAYS * DAY_MS;
}

async function sideFiles(folder: string, run: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  return entries.map(({ name }) => name)
    .filter((name) => isSideFile(name, run));
}

function describeFailure(error: unknown): { error: string } {
  return { error: error instanceof Error ? error.message : String(error) };
}
