/**
 * Replaces the bytes of an existing file so that a crash at any moment leaves either the old or the
 * new ones.
 */

import { fstatSync, ftruncateSync } from "node:fs";
import { dirname } from "node:path";
import { ServiceError } from "../../../core/errors.ts";
import { removeIfThere } from "../../../core/files.ts";
import type { FileSystem } from "../../../platform/types/mod.ts";
import { systemCode } from "../file_errors.ts";
import { type Content, contentOfFile, hashBytes, toContent, writeContent } from "./content.ts";
import { Descriptor } from "./descriptor.ts";
import {
  checkContent,
  checkUnchanged,
  type Exchange,
  exchange,
  fileState,
  type OldFile,
  readSize,
  type Writing,
} from "./exchange.ts";
import { type ExchangedRecord, type Journal, type JournalEntry, unusable } from "./journal.ts";
import { type NewFile, trySyncFolder, withNewFile } from "./temporary.ts";

/**
 * Errors for which a rename over the file fails or is not allowed; the file is then written in
 * place.
 */
const NEEDS_IN_PLACE: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EBUSY", "EXDEV", "EROFS"]);

/**
 * Uses a temporary file and a rename if that preserves everything, otherwise writes in place.
 * Returns the hash of the new bytes.
 * @throws ServiceError `conflict` when another program has changed the file since it was read.
 */
export async function replaceFile(
  writing: Writing,
  file: OldFile,
  content: Content,
): Promise<string> {
  const { journal } = writing;
  if ((file.info.nlink ?? 1) > 1) return await writeInPlace(journal, file, content);
  const place = async (made: NewFile) => ({
    hash: made.hash,
    old: await takePlace(writing, file, made),
  });
  const replaced = await withNewFile(journal, file.path, { content, mode: 0o600 }, place)
    .catch((error) => {
      if (!needsInPlace(error)) throw error;
    });
  if (replaced === undefined) return await writeInPlace(journal, file, content);
  await finishReplacing(file.path, replaced.old);
  return replaced.hash;
}

/** Whether a file can only be written in place. */
export function needsInPlace(error: unknown): boolean {
  return NEEDS_IN_PLACE.has(systemCode(error));
}

/**
 * Gives a new file the place of an old one, with its owner and mode.
 * @returns what {@link finishReplacing} needs
 * @throws ServiceError `conflict` as {@link replaceFile} does; {@link needsInPlace} knows why it fails
 */
export async function takePlace(
  { files }: Pick<Writing, "files">,
  file: Omit<OldFile, "old">,
  { temporary, made, entry }: NewFile,
): Promise<Exchange | undefined> {
  await takeOver(file, made, files);
  await made.handle.sync();
  await checkUnchanged(file);
  await made.checkStillAt(temporary);
  const record = await makeRecord(file, temporary, made);
  await entry.replace(record);
  const exchanged = await exchange(files, { ...file, hash: record.hash, temporary, made });
  if (exchanged !== undefined) return exchanged;
  await checkUnchanged({ path: file.path, info: file.info });
  await Deno.rename(temporary, file.path);
}

/** Once the temporary name is gone. */
export async function finishReplacing(
  path: string,
  exchanged: Exchange | undefined,
): Promise<void> {
  await using old = exchanged;
  await trySyncFolder(dirname(path));
  await old?.takeRemainder();
}

async function makeRecord(
  file: Omit<OldFile, "old">,
  temporary: string,
  made: Descriptor,
): Promise<ExchangedRecord> {
  const { path, info, bytes } = file;
  const { dev, ino } = await made.stat();
  return {
    kind: "exchanged",
    path: temporary,
    target: path,
    made: `${dev}:${ino}`,
    state: fileState({ ...info, size: readSize(file) }),
    hash: bytes === undefined ? "" : hashBytes(bytes),
  };
}

/**
 * Sets owner, attributes and mode in this order, because each step can reset a later one. Uses
 * descriptors, because in another user's folder a path may become a link to any file at any moment.
 * @throws the system's error when an access permission cannot be preserved.
 */
async function takeOver(
  { path, info }: Pick<OldFile, "path" | "info">,
  made: Descriptor,
  { extendedAttributes }: FileSystem,
): Promise<void> {
  if (info.uid === null || info.gid === null || info.mode === null) return;
  await using old = await Descriptor.open(path, "read");
  await old.checkIs(info);
  const { uid, gid } = await made.stat();
  if (uid !== info.uid || gid !== info.gid) await made.handle.chown(info.uid, info.gid);
  if (extendedAttributes.ready) extendedAttributes.use(old.fd, made.fd);
  await made.handle.chmod(info.mode & 0o7777);
}

// Writes into the file itself if a rename is not possible; saves the bytes before and after in the
// state folder first.

/**
 * Returns the hash of the new bytes. A failed write restores the old bytes. What other programs
 * append is kept, unless they do so while the bytes are being written.
 */
async function writeInPlace(journal: Journal, file: OldFile, content: Content): Promise<string> {
  const old = file.old();
  await checkUnchanged(file);
  const entry = await journal.begin({ kind: "in_place", path: file.path });
  const { before, after } = entry.saved;
  try {
    await save(journal, before, old);
    await save(journal, after, content);
    await trySyncFolder(journal.folder);
  } catch (error) {
    await removeBoth(entry);
    throw error;
  }
  const outcome = await overwriteOrRestore(file, content, { before, size: old.size });
  await removeBoth(entry);
  if ("error" in outcome) throw outcome.error;
  return outcome.hash;
}

/**
 * @throws when even restoring fails; the journal then keeps the record, and the next start restores
 * the bytes.
 */
async function overwriteOrRestore(
  file: OldFile,
  content: Content,
  { before, size }: { readonly before: string; readonly size: number },
): Promise<{ hash: string } | { error: unknown }> {
  await using stack = new AsyncDisposableStack();
  let open: Descriptor;
  let appended: Content;
  try {
    open = stack.use(await Descriptor.open(file.path, "both"));
    await open.checkIs(file.info);
    await checkContent(open, file);
    appended = await readFrom(open, size);
  } catch (error) {
    return { error };
  }
  try {
    const hash = await overwrite(open, content, appended);
    await truncateTo(open, content.size + appended.size, size + appended.size);
    await open.handle.sync();
    return { hash };
  } catch (error) {
    const old = stack.use(await Descriptor.open(before, "read"));
    await overwrite(open, contentOfFile(old, size), appended);
    await open.handle.truncate(size + appended.size);
    await open.handle.sync();
    return { error };
  }
}

/** Writes the content, and behind it what was appended to the old one. */
async function overwrite(file: Descriptor, content: Content, appended: Content): Promise<string> {
  file.seek(0);
  const hash = await writeContent(file, content);
  await writeContent(file, appended);
  return hash;
}

/** Checks once more: what was appended while the file was written is kept. */
async function truncateTo(file: Descriptor, size: number, oldSize: number): Promise<void> {
  const seen = Math.max(size, oldSize);
  // without a pause between the check and the cut: others could only interfere for microseconds
  if (fstatSync(file.fd).size === seen) return ftruncateSync(file.fd, size);
  const late = await readFrom(file, seen);
  file.seek(size);
  await writeContent(file, late);
  await file.handle.truncate(size + late.size);
}

/** What a file holds from this offset on. */
async function readFrom(file: Descriptor, start: number): Promise<Content> {
  const bytes = new Uint8Array(Math.max(0, await file.size() - start));
  file.seek(start);
  return toContent(bytes.subarray(0, await file.read(bytes)));
}

async function save(journal: Journal, path: string, content: Content): Promise<void> {
  try {
    using file = await Deno.open(path, { createNew: true, write: true, mode: 0o600 });
    await writeContent(file, content);
    await file.sync();
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause; // the error is about the file itself
    throw unusable(journal.folder, cause);
  }
}

/** Ends the entry even if its bytes cannot be removed: they do no harm, for the edit is done. */
async function removeBoth(entry: JournalEntry): Promise<void> {
  const { before, after } = entry.saved;
  await removeIfThere(before).catch(() => {});
  await removeIfThere(after).catch(() => {});
  entry.end();
}
