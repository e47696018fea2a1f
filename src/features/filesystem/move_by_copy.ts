/**
 * Moves to another file system: copies with all metadata that the system lets us keep, then removes
 * the source.
 */

import { lchown, lutimes } from "node:fs/promises";
import { dirname } from "node:path";
import { ServiceError } from "../../core/errors.ts";
import { systemCode } from "./file_errors.ts";
import type { FileSystem } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { checkRemovable } from "./check_removable.ts";
import type { OpenFiles } from "./copy_file.ts";
import { type CopiedEntry, copyTree, modeOfCopy } from "./copy_tree.ts";
import { checkNoMounts } from "./mounts.ts";
import { place } from "./place.ts";
import { isSame } from "./same_entry.ts";
import type { Descriptor } from "./safe_write/descriptor.ts";
import { syncFolder, withTemporary } from "./safe_write/temporary.ts";
import { takeAside } from "./take_aside.ts";
import type { Transfer } from "./transfer.ts";

/**
 * Moves completely or not at all. The source loses its name in one step before anything is
 * replaced, and gets it back if the rest fails.
 * @throws ServiceError `conflict` when another program changes the source meanwhile,
 * `permission_denied` when not all of it could be removed; nothing is moved then.
 */
export async function moveByCopy(context: Context, transfer: Transfer): Promise<void> {
  const { platform: { files }, session, signal } = context;
  const { verb, source, destination, info } = transfer;
  await checkNoMounts("Cannot move", source, files);
  await checkRemovable(files, { action: "Cannot move", path: source, signal });
  const { journal } = await session.files.writing();
  const { extendedAttributes, fileRanges } = files;
  const entries: CopiedEntry[] = [];
  await withTemporary(journal, destination, async (temporary) => {
    const copied = async (entry: CopiedEntry, copy: string, opened?: OpenFiles) => {
      await keepMetadata(entry, copy, { opened, extendedAttributes });
      entries.push(entry);
    };
    await copyTree({ path: source, info }, temporary, { verb, signal, fileRanges, copied });
    await checkAllUnchanged(entries);
    signal.throwIfAborted(); // from here on the move is completed, even if the client disconnects
    await takeAside(journal, source, async (aside) => {
      await checkAllUnchanged(entries.map((entry) => movedAside(entry, source, aside)));
      await place(files, temporary, transfer);
      await syncFolder(destination); // the copy is on disk before its source is removed
      await syncFolder(dirname(destination));
    });
  });
}

/**
 * The same entry at its path while the tree is moved aside; renaming changes the ctime of the
 * tree's root.
 */
function movedAside({ path, info }: CopiedEntry, source: string, aside: string): CopiedEntry {
  const isRoot = path === source;
  return {
    path: aside + path.slice(source.length),
    info: isRoot ? { ...info, ctime: null } : info,
  };
}

interface Keeping extends Pick<FileSystem, "extendedAttributes"> {
  /** Absent for a link. */
  readonly opened: OpenFiles | undefined;
}

async function keepMetadata(
  { info }: CopiedEntry,
  copy: string,
  { opened, extendedAttributes }: Keeping,
): Promise<void> {
  const keepsOwner = await tryChown(info, copy, opened?.to);
  if (opened !== undefined && info.mode !== null) {
    const { from, to } = opened;
    const { mode } = await to.state();
    await to.chmod(info.mode & 0o777 | 0o600); // setting attributes requires write permission
    if (extendedAttributes.ready) extendedAttributes.use(from.fd, to.fd);
    await to.chmod(modeOfCopy(info, { keepsOwner }, mode));
  }
  const modified = seconds(info.mtime);
  if (modified !== undefined) await lutimes(copy, seconds(info.atime) ?? modified, modified);
}

/** Only the superuser may change the owner of a file. */
async function tryChown(
  info: Deno.FileInfo,
  copy: string,
  made: Descriptor | undefined,
): Promise<boolean> {
  if (info.uid === null || info.gid === null) return true;
  const { uid, gid } = await (made?.state() ?? Deno.lstat(copy));
  if (uid === info.uid && gid === info.gid) return true;
  try {
    await (made?.chown(info.uid, info.gid) ?? lchown(copy, info.uid, info.gid));
    return true;
  } catch (error) {
    if (systemCode(error) === "EPERM" || systemCode(error) === "EINVAL") return false;
    throw error;
  }
}

function seconds(time: Date | null): number | undefined {
  return time === null ? undefined : time.getTime() / 1_000;
}

/** Includes entries added to the folders: the folders' times show them. */
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

async function lookAt(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The ctime of a file with several hard links changes when one of them is removed. */
function isSameKind(then: Deno.FileInfo, now: Deno.FileInfo): boolean {
  return isSame(then, now) && then.size === now.size && then.isFile === now.isFile &&
    then.isDirectory === now.isDirectory &&
    (then.isDirectory || then.nlink !== 1 || then.ctime === null ||
      time(then.ctime) === time(now.ctime));
}

function time(date: Date | null): number | undefined {
  return date?.getTime();
}

function changed(path: string, what: string): ServiceError {
  return new ServiceError("conflict", `Cannot move ${JSON.stringify(path)}: ${what}`);
}
