/**
 * Restores the old bytes of a file that was being written in place, if it holds neither those nor
 * the new ones.
 */

import { compareWithBoth } from "./compare.ts";
import { type Content, contentOfFile, writeContent } from "./content.ts";
import { Descriptor } from "./descriptor.ts";
import type { InPlaceRecord } from "./journal.ts";
import { isThere } from "./create_file.ts";
import { removeIfThere } from "./temporary.ts";

/** `kept`: the saved bytes are kept, because they may be the only copy. */
export interface Outcome {
  readonly outcome: string;
  readonly kept?: boolean;
}

/**
 * Only a mix of old and new bytes is ours to undo; any other content means that another program has
 * written since.
 */
export async function restore(record: InPlaceRecord): Promise<Outcome> {
  const { path, before, after } = record;
  if (!await isThere(before)) return await finished(record); // removed first on success
  if (!await isThere(after)) return { outcome: "its new bytes are missing", kept: true };
  // checked before opening: opening a FIFO blocks until another program opens its other end
  const entry = await lookAt(path);
  if (entry === undefined) {
    return { outcome: "it is not there: deleted, or its disk is not mounted yet", kept: true };
  }
  if (!entry.isFile) return { outcome: "it is no plain file any more", kept: true };
  return await restoreFile(record);
}

async function restoreFile(record: InPlaceRecord): Promise<Outcome> {
  await using old = await Descriptor.open(record.before, "read");
  await using fresh = await Descriptor.open(record.after, "read");
  const found = await foundAt(record.path, { old, fresh });
  if (found === "other") return { outcome: "it was changed since", kept: true };
  if (found !== "mix") return await finished(record);
  await using file = await Descriptor.open(record.path, "both");
  // checked again in the opened file: the name may refer to another one by now
  if (await compareWithBoth({ now: file, old, fresh }) !== "mix") {
    return { outcome: "it was changed since", kept: true };
  }
  await overwrite(file, contentOfFile(old, await old.size()));
  return { ...await finished(record), outcome: "restored" };
}

/** Overwrites the file, truncates it, and syncs. */
async function overwrite(file: Descriptor, content: Content): Promise<void> {
  file.rewind();
  await writeContent(file, content);
  await file.truncate(content.size);
  await file.sync();
}

/** Opens for reading only: a file that is already correct need not be writable. */
async function foundAt(path: string, both: { old: Descriptor; fresh: Descriptor }) {
  await using now = await Descriptor.open(path, "read");
  return await compareWithBoth({ now, ...both });
}

/**
 * Removes the saved bytes, so that no later start checks the file again, which may have been edited
 * by then.
 */
async function finished({ before, after }: InPlaceRecord): Promise<Outcome> {
  await removeIfThere(before);
  await removeIfThere(after);
  return { outcome: "finished before" };
}

async function lookAt(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    const gone = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory;
    if (gone) return undefined;
    throw error;
  }
}
