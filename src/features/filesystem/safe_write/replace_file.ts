/** Gives an existing file new bytes so that a crash at any moment leaves the old ones or the new ones. */

import { dirname } from "node:path";
import { ServiceError } from "../../../errors.ts";
import { systemCode } from "../../../file_errors.ts";
import type { CopyAttributes } from "../../../platform/extended_attributes.ts";
import { type Content, writeContent } from "./content.ts";
import type { Journal } from "./journal.ts";
import { syncFolder, withTemporary } from "./temporary.ts";
import { writeInPlace } from "./write_in_place.ts";

/** A file as it was when it was opened: its real path, its state, and its bytes. */
export interface OldFile {
  readonly path: string;
  readonly info: Deno.FileInfo;
  bytes(): Uint8Array | Promise<Uint8Array>;
}

export interface Writing {
  readonly journal: Journal;
  readonly copyAttributes: CopyAttributes;
}

/** What a rename over the file cannot do, or may not: the file is written in place then. */
const NEEDS_IN_PLACE: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EBUSY", "EXDEV", "EROFS"]);

/**
 * By a temporary file and a rename where that keeps everything, else in place. Gives the hash of the new bytes.
 * @throws ServiceError `conflict` when another program has changed the file since it was read.
 */
export async function replaceFile(
  { journal, copyAttributes }: Writing,
  file: OldFile,
  content: Content,
): Promise<string> {
  if ((file.info.nlink ?? 1) > 1) return await writeInPlace(journal, file, content);
  const hash = await withTemporary(journal, file.path, async (temporary) => {
    try {
      const written = await writeTemporary(temporary, file, content);
      copyAttributes(file.path, temporary);
      await checkUnchanged(file);
      await Deno.rename(temporary, file.path);
      return written;
    } catch (error) {
      if (NEEDS_IN_PLACE.has(systemCode(error))) return undefined;
      throw error;
    }
  });
  if (hash === undefined) return await writeInPlace(journal, file, content);
  await syncFolder(dirname(file.path));
  return hash;
}

/** @throws the system's error when owner or mode cannot be kept. */
async function writeTemporary(path: string, { info }: OldFile, content: Content): Promise<string> {
  using file = await Deno.open(path, { createNew: true, write: true, mode: 0o600 });
  const hash = await writeContent(file, content);
  if (info.uid !== null && info.mode !== null) {
    const made = await file.stat();
    if (made.uid !== info.uid || made.gid !== info.gid) await Deno.chown(path, info.uid, info.gid);
    await Deno.chmod(path, info.mode & 0o7777);
  }
  await file.sync();
  return hash;
}

/** @throws ServiceError `conflict` */
export async function checkUnchanged({ path, info }: OldFile): Promise<void> {
  const now = await Deno.stat(path);
  const same = now.ino === info.ino && now.dev === info.dev && now.size === info.size &&
    now.mtime?.getTime() === info.mtime?.getTime();
  if (same) return;
  throw new ServiceError(
    "conflict",
    `Cannot edit "${path}": another program has changed it meanwhile, and nothing was written; read it again`,
  );
}
