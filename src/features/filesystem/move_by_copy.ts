/** Moves to another file system: a copy with everything that the system lets us keep, then the source goes, entry by entry. */

import { lchown, lutimes, open } from "node:fs/promises";
import { ServiceError } from "../../errors.ts";
import { systemCode } from "../../file_errors.ts";
import type { CopyAttributes } from "../../platform/extended_attributes.ts";
import type { Context } from "../operation.ts";
import { type CopiedEntry, copyTree } from "./copy_tree.ts";
import { checkNoMounts } from "./mounts.ts";
import { place } from "./place.ts";
import { isSame } from "./same_entry.ts";
import { syncFolder, withTemporary } from "./safe_write/temporary.ts";
import type { Transfer } from "./transfer.ts";

/** @throws ServiceError `conflict` when another program changes the source meanwhile: what it changed stays. */
export async function moveByCopy(context: Context, transfer: Transfer): Promise<void> {
  const { platform, session, signal } = context;
  const { verb, source, destination, info } = transfer;
  await checkNoMounts("Cannot move", source, platform.system);
  const { journal, copyAttributes } = await session.files.writing();
  const entries: CopiedEntry[] = [];
  await withTemporary(journal, destination, async (temporary) => {
    const copied = async (entry: CopiedEntry, copy: string) => {
      await keepMetadata(entry, copy, copyAttributes);
      entries.push(entry);
    };
    await copyTree({ path: source, info }, temporary, { verb, signal, copied });
    await checkAllUnchanged(entries);
    await place(platform.system, temporary, transfer);
  });
  await syncFolder(destination); // the copy is safe before its source goes
  for (const entry of entries) await removeCopied(entry, destination);
}

async function keepMetadata(
  { path, info }: CopiedEntry,
  copy: string,
  copyAttributes: CopyAttributes,
): Promise<void> {
  const isOwned = await tryChown(info, copy);
  if (!info.isSymlink && info.mode !== null) {
    await Deno.chmod(copy, info.mode & 0o777 | 0o600); // attributes need the right to write
    await using from = await open(path);
    await using to = await open(copy);
    copyAttributes(from.fd, to.fd);
    // rights that come with the owner do not go to somebody else
    await Deno.chmod(copy, info.mode & (isOwned ? 0o7777 : 0o1777));
  }
  const modified = seconds(info.mtime);
  if (modified !== undefined) await lutimes(copy, seconds(info.atime) ?? modified, modified);
}

/** Only the superuser may give files away. */
async function tryChown(info: Deno.FileInfo, copy: string): Promise<boolean> {
  if (info.uid === null || info.gid === null) return true;
  const made = await Deno.lstat(copy);
  if (made.uid === info.uid && made.gid === info.gid) return true;
  try {
    await lchown(copy, info.uid, info.gid);
    return true;
  } catch (error) {
    if (systemCode(error) === "EPERM" || systemCode(error) === "EINVAL") return false;
    throw error;
  }
}

function seconds(time: Date | null): number | undefined {
  return time === null ? undefined : time.getTime() / 1_000;
}

async function checkAllUnchanged(entries: readonly CopiedEntry[]): Promise<void> {
  for (const entry of entries) {
    if (await isUnchanged(entry)) continue;
    throw changed(entry.path, "another program has changed it meanwhile; nothing was moved");
  }
}

async function isUnchanged({ path, info }: CopiedEntry): Promise<boolean> {
  const now = await lookAt(path);
  return now !== undefined && isSameKind(info, now) && time(now.mtime) === time(info.mtime);
}

async function removeCopied(entry: CopiedEntry, destination: string): Promise<void> {
  const { path, info } = entry;
  const isStill = info.isDirectory ? await isSameFolder(entry) : await isUnchanged(entry);
  const stays =
    `another program has changed it meanwhile; it stays, and the copy of what was there is ` +
    `${JSON.stringify(destination)}`;
  if (!isStill) throw changed(path, stays);
  try {
    await Deno.remove(path);
  } catch (error) {
    if (systemCode(error) === "ENOTEMPTY") throw changed(path, stays);
    throw error;
  }
}

/** Its time changes when what is in it goes. */
async function isSameFolder({ path, info }: CopiedEntry): Promise<boolean> {
  const now = await lookAt(path);
  return now !== undefined && now.isDirectory && isSame(info, now);
}

async function lookAt(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** A file with other names changes its inner time when one of those goes. */
function isSameKind(then: Deno.FileInfo, now: Deno.FileInfo): boolean {
  return isSame(then, now) && then.size === now.size && then.isFile === now.isFile &&
    then.isDirectory === now.isDirectory &&
    (then.isDirectory || then.nlink !== 1 || time(then.ctime) === time(now.ctime));
}

function time(date: Date | null): number | undefined {
  return date?.getTime();
}

function changed(path: string, what: string): ServiceError {
  return new ServiceError("conflict", `Cannot move ${JSON.stringify(path)}: ${what}`);
}
