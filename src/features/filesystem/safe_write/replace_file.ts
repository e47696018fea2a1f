/**
 * Replaces the bytes of an existing file so that a crash at any moment leaves either the old or the
 * new ones.
 */

import { dirname } from "node:path";
import { ServiceError } from "../../../core/errors.ts";
import { removeIfThere } from "../../../core/files.ts";
import type { FileSystem } from "../../../platform/types/mod.ts";
import { systemCode } from "../file_errors.ts";
import { type Content, contentOfFile, hashBytes, writeContent } from "./content.ts";
import { Descriptor } from "./descriptor.ts";
import {
  checkUnchanged,
  exchange,
  fileState,
  type OldFile,
  readSize,
  type Writing,
} from "./exchange.ts";
import { InPlaceFile } from "./in_place_file.ts";
import { type ExchangedRecord, type Journaling, unusable } from "./journal.ts";
import { trySyncFolder, withTemporary } from "./temporary.ts";

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
  const { journal, files } = writing;
  if ((file.info.nlink ?? 1) > 1) return await writeInPlace(writing, file, content);
  const replaced = await withTemporary(journal, file.path, async (temporary, id) => {
    try {
      await using made = await Descriptor.create(temporary, 0o600);
      const hash = await writeContent(made, content);
      await takeOver(file, made, files);
      await made.sync();
      await checkUnchanged(file);
      await made.checkStillAt(temporary);
      await journal.replace(id, await makeRecord(file, temporary, made));
      const exchanged = await exchange(files, { bytes: undefined, ...file, temporary, made });
      if (exchanged === undefined) {
        await checkUnchanged({ path: file.path, info: file.info });
        await Deno.rename(temporary, file.path);
      }
      return { hash, exchanged };
    } catch (error) {
      if (NEEDS_IN_PLACE.has(systemCode(error))) return undefined;
      throw error;
    }
  });
  if (replaced === undefined) return await writeInPlace(writing, file, content);
  await using old = replaced.exchanged;
  await trySyncFolder(dirname(file.path));
  await old?.takeRest();
  return replaced.hash;
}

async function makeRecord(
  { path, info, bytes }: OldFile,
  temporary: string,
  made: Descriptor,
): Promise<ExchangedRecord> {
  const { dev, ino } = await made.stat();
  return {
    kind: "exchanged",
    path: temporary,
    target: path,
    made: `${dev}:${ino}`,
    state: fileState({ ...info, size: readSize({ info, bytes }) }),
    hash: bytes === undefined ? "" : hashBytes(bytes),
  };
}

/**
 * Sets owner, attributes and mode in this order, because each step can reset a later one. Uses
 * descriptors, because in another user's folder a path may become a link to any file at any moment.
 * @throws the system's error when an access permission cannot be preserved.
 */
async function takeOver(
  { path, info }: OldFile,
  made: Descriptor,
  { extendedAttributes }: FileSystem,
): Promise<void> {
  if (info.uid === null || info.gid === null || info.mode === null) return;
  await using old = await Descriptor.open(path, "read");
  await old.checkIs(info);
  const { uid, gid } = await made.state();
  if (uid !== info.uid || gid !== info.gid) await made.chown(info.uid, info.gid);
  if (extendedAttributes.ready) extendedAttributes.use(old.fd, made.fd);
  await made.chmod(info.mode & 0o7777);
}

// Writes into the file itself if a rename is not possible; saves the bytes before and after in the
// state folder first.

/**
 * Returns the hash of the new bytes. A failed write restores the old bytes; what other programs
 * append is kept.
 */
async function writeInPlace(
  { journal, files }: Writing,
  file: OldFile,
  content: Content,
): Promise<string> {
  const old = file.old();
  const before = journal.sideFile();
  const after = journal.sideFile();
  let id: number | undefined;
  try {
    await keep(journal, before, old);
    await file.close?.();
    await keep(journal, after, content);
    await trySyncFolder(journal.folder);
    await checkUnchanged(file);
    id = await journal.begin({ kind: "in_place", path: file.path, before, after });
  } catch (error) {
    await removeBoth(before, after);
    throw error;
  }
  const outcome = await overwriteOrRestore({ files, file }, content, { before, size: old.size });
  journal.end(id);
  await removeBoth(before, after).catch(() => {}); // leftover files do no harm: the edit is done
  if ("error" in outcome) throw outcome.error;
  return outcome.hash;
}

/**
 * @throws when even restoring fails; the journal then keeps the record, and the next start restores
 * the bytes.
 */
async function overwriteOrRestore(
  { files, file }: Pick<Writing, "files"> & { readonly file: OldFile },
  content: Content,
  { before, size }: { readonly before: string; readonly size: number },
): Promise<{ hash: string } | { error: unknown }> {
  let opened: InPlaceFile;
  try {
    opened = await InPlaceFile.open(file, files);
  } catch (error) {
    return { error };
  }
  await using open = opened;
  try {
    return { hash: await open.write(content) };
  } catch (error) {
    await using old = await Descriptor.open(before, "read");
    await open.putBack(contentOfFile(old, size));
    return { error };
  }
}

async function keep(journal: Journaling, path: string, content: Content): Promise<void> {
  try {
    using file = await Deno.open(path, { createNew: true, write: true, mode: 0o600 });
    await writeContent(file, content);
    await file.sync();
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause; // the error is about the file itself
    throw unusable(journal.folder, cause);
  }
}

async function removeBoth(before: string, after: string): Promise<void> {
  await removeIfThere(before);
  await removeIfThere(after);
}
