/**
 * Cleans up after crashed runs: removes what is incomplete, and restores the old bytes of files
 * that were being written in place.
 */

import { dirname, join } from "node:path";
import { readAll } from "../../../core/bytes.ts";
import { throwUnless } from "../../../core/errors.ts";
import { isThere, namesIn, removeIfThere } from "../../../core/files.ts";
import type { Log } from "../../../core/log.ts";
import { tryParseJson } from "../../../core/texts.ts";
import { checkPrivateFolder, isTrusted } from "../../../platform/private_folder.ts";
import {
  appendRemainder,
  compareWithBoth,
  type Content,
  contentOfFile,
  hashOfStart,
  writeContent,
} from "./content.ts";
import { Descriptor } from "./descriptor.ts";
import {
  type AsideRecord,
  type ExchangedRecord,
  JOURNAL_SUFFIX,
  journalFolder,
  type JournalRecord,
  type SavedBytes,
  savedBytes,
} from "./journal.ts";
import { appear, isOurs, trySyncFolder } from "./temporary.ts";
import { fileState } from "./exchange.ts";

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
      await recoverEntry(join(folder, name), log);
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
    log.warn("the journal of unfinished edits is not checked", describeFailure(error));
    return false;
  }
}

async function journalsIn(folder: string): Promise<string[]> {
  const names = await namesIn(folder).catch(() => []); // no state that we may read
  return names.filter((name) => name.endsWith(JOURNAL_SUFFIX));
}

async function recoverEntry(path: string, log: Pick<Log, "info" | "warn">): Promise<void> {
  const entry = await Deno.lstat(path);
  if (!entry.isFile || !isTrusted(entry)) throw new Error("it is not a file of this user alone");
  using file = await Deno.open(path, { read: true, write: true });
  if (!await file.tryLock(true)) return; // its service is alive
  const saved = savedBytes(path.slice(0, -JOURNAL_SUFFIX.length));
  // through the same descriptor: on Windows the lock keeps out all others
  const bytes = await readAll(file, entry.size, Infinity);
  const record = parseRecord(new TextDecoder().decode(bytes));
  if (record === "unreadable") {
    log.warn("a record of an unfinished edit cannot be read", { path });
    if (await isThere(saved.before) && !await isOld(path)) return;
  } else if (record !== undefined && !await isTidied(record, saved, log)) return;
  await removeIfThere(saved.before);
  await removeIfThere(saved.after);
  await Deno.remove(path);
}

async function isTidied(
  record: JournalRecord,
  saved: SavedBytes,
  log: Pick<Log, "info" | "warn">,
): Promise<boolean> {
  const { path } = record;
  try {
    const { summary, kept } = await tidyUp(record, saved);
    if (!kept) log.info("cleaned up", { path, summary });
    return !kept || await isGivenUp(record, { summary, before: saved.before }, log);
  } catch (error) {
    log.warn("cannot clean up; the next start tries again", { path, ...describeFailure(error) });
    return false;
  }
}

async function tidyUp(record: JournalRecord, saved: SavedBytes): Promise<RestoreResult> {
  if (record.kind === "in_place") return await restore(record.path, saved);
  if (record.kind === "aside") return await putBack(record);
  if (record.kind === "exchanged") return await finishExchange(record);
  await removeIfThere(record.path, { recursive: true });
  return { summary: "removed" };
}

/** Only if no other program has taken the name since. */
async function putBack({ path, aside }: AsideRecord): Promise<RestoreResult> {
  if (!await isThere(aside)) return { summary: "finished before" };
  if (await isThere(path)) return { summary: "its name is in use", kept: true };
  await appear(aside, path);
  await removeIfThere(aside, { recursive: true });
  return { summary: "put back" };
}

/** Whether saved bytes have been kept long enough; until then, logs where they are. */
async function isGivenUp(
  record: JournalRecord,
  { summary, before }: { readonly summary: string; readonly before: string },
  log: Pick<Log, "warn">,
): Promise<boolean> {
  const { path } = record;
  if (record.kind === "in_place") {
    const given = await isOld(before);
    const event = given
      ? `an unfinished edit is abandoned after ${KEPT_DAYS} days`
      : `an unfinished edit: the previous content is kept for ${KEPT_DAYS} days`;
    log.warn(event, { path, saved: before, summary });
    return given;
  }
  const saved = record.kind === "aside" ? record.aside : path;
  log.warn("a file keeps its temporary name", { path, saved, summary });
  return true;
}

async function isOld(path: string): Promise<boolean> {
  const { mtime } = await Deno.lstat(path);
  return mtime !== null && Date.now() - mtime.getTime() > KEPT_DAYS * DAY_MS;
}

function describeFailure(error: unknown): { error: string } {
  return { error: error instanceof Error ? error.message : String(error) };
}

// Finishes an exchange of the old file for the new one that a crash has interrupted.

/**
 * Removes the new file if it is not in place; removes the old one once everything appended to it is
 * in the new one.
 */
async function finishExchange(record: ExchangedRecord): Promise<RestoreResult> {
  const { path, target, made } = record;
  if (!await isThere(path)) return { summary: "finished before" };
  const now = await Deno.lstat(path);
  if (`${now.dev}:${now.ino}` === made) {
    await removeIfThere(path, { recursive: true });
    return { summary: "removed" };
  }
  if (!now.isFile) return { summary: "something else came out of the exchange", kept: true };
  if (fileState(now) !== record.state && !await isTaken(record)) {
    return { summary: "another program's version came out of the exchange", kept: true };
  }
  await removeIfThere(path, { recursive: true });
  await trySyncFolder(dirname(target));
  return { summary: "finished" };
}

/**
 * Adds what was appended to the old file to the new one. Returns `false` if that is no longer in
 * place, or if the old file's earlier bytes are not the ones that were read.
 */
async function isTaken({ path, target, made, state, hash }: ExchangedRecord): Promise<boolean> {
  const size = Number(state.split(" ")[0]);
  await using old = await Descriptor.open(path, "read");
  if (hash === "" || await hashOfStart(old, size) !== hash) return false;
  await using fresh = await Descriptor.open(target, "append");
  const { dev, ino } = await fresh.stat();
  if (`${dev}:${ino}` !== made) return false;
  await appendRemainder(old, fresh, size);
  return true;
}

/** `undefined` if it was not completely written: the change had not begun. */
function parseRecord(text: string): JournalRecord | "unreadable" | undefined {
  const line = text.split("\n").slice(0, -1).at(-1);
  if (line === undefined) return undefined;
  const record = tryParseJson(line);
  return isRecord(record) && isOurs(record) ? record : "unreadable";
}

const FIELDS: Readonly<Record<JournalRecord["kind"], readonly string[]>> = {
  temporary: ["path", "target"],
  in_place: ["path"],
  aside: ["path", "aside"],
  exchanged: ["path", "target", "made", "state", "hash"],
};

function isRecord(record: unknown): record is JournalRecord {
  const fields = FIELDS[(record as JournalRecord | null)?.kind as JournalRecord["kind"]];
  return fields?.every((field) => typeof (record as Record<string, unknown>)[field] === "string") ??
    false;
}

// Restores the old bytes of a file that was being written in place, if it holds neither those nor
// the new ones.

/** `kept`: the saved bytes are kept, because they may be the only copy. */
interface RestoreResult {
  readonly summary: string;
  readonly kept?: boolean;
}

/**
 * Only a mix of old and new bytes is ours to undo; any other content means that another program has
 * written since.
 */
async function restore(path: string, { before, after }: SavedBytes): Promise<RestoreResult> {
  if (!await isThere(before)) return { summary: "finished before" }; // removed first on success
  if (!await isThere(after)) return { summary: "not begun" };
  // checked before opening: opening a FIFO blocks until another program opens its other end
  const entry = await statIfPresent(path);
  if (entry === undefined) {
    return { summary: "it does not exist: deleted, or its disk is not mounted yet", kept: true };
  }
  if (!entry.isFile) return { summary: "it is no longer a regular file", kept: true };
  await using old = await Descriptor.open(before, "read");
  await using fresh = await Descriptor.open(after, "read");
  await using now = await Descriptor.open(path, "read"); // what is correct need not be writable
  const found = await compareWithBoth({ now, old, fresh });
  if (found === "other") return { summary: "it has been changed since", kept: true };
  if (found !== "mix") return { summary: "finished before" };
  await using file = await Descriptor.open(path, "both");
  await file.checkIs(await now.stat());
  await overwrite(file, contentOfFile(old, await old.size()));
  return { summary: "restored" };
}

/** Overwrites the file, truncates it, and syncs. */
async function overwrite(file: Descriptor, content: Content): Promise<void> {
  file.seek(0);
  await writeContent(file, content);
  await file.handle.truncate(content.size);
  await file.handle.sync();
}

async function statIfPresent(path: string): Promise<Deno.FileInfo | undefined> {
  const { NotADirectory, NotFound } = Deno.errors;
  return await Deno.lstat(path).catch(
    throwUnless((error) => error instanceof NotFound || error instanceof NotADirectory),
  );
}
