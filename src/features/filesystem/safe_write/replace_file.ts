/**
 * Replaces the bytes of an existing file so that a crash at any moment leaves either the old or the
 * new ones.
 */

import { dirname } from "node:path";
import { systemCode } from "../file_errors.ts";
import type { FileSystem } from "../../../platform/types/mod.ts";
import { type Content, hashBytes, writeContent } from "./content.ts";
import { Descriptor } from "./descriptor.ts";
import { exchange } from "./exchange.ts";
import type { ExchangedRecord } from "./journal.ts";
import { checkUnchanged, fileState, type OldFile, readSize, type Writing } from "./replacing.ts";
import { syncFolder, withTemporary } from "./temporary.ts";
import { writeInPlace } from "./write_in_place.ts";

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
  await syncFolder(dirname(file.path));
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
