/** Gives a file that was being written in place its old bytes back, if it holds neither those nor the new ones. */

import { compareWithBoth } from "./compare.ts";
import { type Content, contentOfFile, writeContent } from "./content.ts";
import { Descriptor } from "./descriptor.ts";
import type { InPlaceRecord } from "./journal.ts";
import { isThere } from "./create_file.ts";
import { removeIfThere } from "./temporary.ts";

/** `kept`: the saved bytes stay, for they may be the only ones. */
export interface Outcome {
  readonly outcome: string;
  readonly kept?: boolean;
}

/** Only a mix of the old and the new bytes is ours to undo: whatever else is there, somebody has written since. */
export async function restore(record: InPlaceRecord): Promise<Outcome> {
  const { path, before, after } = record;
  if (!await isThere(before)) return await finished(record); // it is removed first, when all is well
  if (!await isThere(after)) return { outcome: "its new bytes are missing", kept: true };
  // looked at before it is opened: opening a FIFO waits for somebody at its other end
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
  // once more, in the file that is written: the name may lead to another one by now
  if (await compareWithBoth({ now: file, old, fresh }) !== "mix") {
    return { outcome: "it was changed since", kept: true };
  }
  using source = await Deno.open(record.before);
  await overwrite(file, contentOfFile(source, await old.size()));
  return { ...await finished(record), outcome: "restored" };
}

/** Writes the bytes over what is there, cuts the rest, and syncs. */
async function overwrite(file: Descriptor, content: Content): Promise<void> {
  file.rewind();
  await writeContent(file, content);
  await file.truncate(content.size);
  await file.sync();
}

/** Opened for reading only: a file that is as it should be need not be writable. */
async function foundAt(path: string, both: { old: Descriptor; fresh: Descriptor }) {
  await using now = await Descriptor.open(path, "read");
  return await compareWithBoth({ now, ...both });
}

/** So that no later start looks at the file again, which may be edited by then. */
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
