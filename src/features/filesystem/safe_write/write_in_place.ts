/**
 * Writes into the file itself if a rename is not possible; saves the bytes before and after in the
 * state folder first.
 */

import { ServiceError } from "../../../core/errors.ts";
import { type Content, contentOfFile, writeContent } from "./content.ts";
import { Descriptor } from "./descriptor.ts";
import { InPlaceFile } from "./in_place_file.ts";
import { type Journaling, unusable } from "./journal.ts";
import { checkUnchanged, type OldFile, type Writing } from "./replacing.ts";
import { removeIfThere, syncFolder } from "./temporary.ts";

/**
 * Returns the hash of the new bytes. A failed write restores the old bytes; what other programs
 * append is kept.
 */
export async function writeInPlace(
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
    await syncFolder(journal.folder);
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
