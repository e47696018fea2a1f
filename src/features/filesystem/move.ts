/** Moves a file or a folder: by renaming, or by copying to another file system. */

import { lchown, lutimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ServiceError } from "../../core/errors.ts";
import { lstatIfThere } from "../../core/files.ts";
import type { FileSystem } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { type CopiedEntry, modeOfCopy, type OpenFiles, TreeCopy } from "./copy.ts";
import { checkNotPrecious } from "./delete.ts";
import { checkNoMounts } from "./entry.ts";
import { fileError, systemCode, translating } from "./file_errors.ts";
import { isSame, resolvePath } from "./paths.ts";
import type { Descriptor } from "./safe_write/descriptor.ts";
import { takeAside, trySyncFolder, withParents, withTemporary } from "./safe_write/temporary.ts";
import { moveIntoPlace, planTransfer, type Transfer, type TransferInput } from "./transfer.ts";
import { Files } from "./files.ts";

export async function movePath(context: Context, input: TransferInput): Promise<void> {
  const { session, config: { home } } = context;
  const files = session.use(Files);
  const claims = [
    resolvePath(input.source, home, "source"),
    resolvePath(input.destination, home, "destination"),
  ].map((path) => ({ path, tree: true, shared: false }));
  await files.locks.runOnAll(claims, context.signal, () => move(context, input));
}

async function move(context: Context, input: TransferInput): Promise<void> {
  const { home } = context.config;
  const transfer = await planTransfer("move", input, home);
  const { source, destination, sameness } = transfer;
  await checkNotPrecious("Cannot move", source, home);
  if (sameness === "same entry") return;
  if (sameness === "alias") throw isAlias(transfer);
  const attempt = { action: "Cannot move", path: source, field: "source" };
  await translating(attempt, async () => {
    // two names of one file: a rename would keep both
    if (sameness === "hard link") return await Deno.remove(source);
    await withParents(destination, async () => {
      if (!await tryRename(context, transfer)) await moveByCopy(context, transfer);
    });
    await trySyncFolder(dirname(destination));
    await trySyncFolder(dirname(source));
  });
}

/** `false` if the paths are on different file systems. */
async function tryRename({ platform }: Context, transfer: Transfer): Promise<boolean> {
  try {
    await moveIntoPlace(platform.files, transfer.source, transfer);
    return true;
  } catch (error) {
    if (systemCode(error) === "EXDEV") return false;
    throw error;
  }
}

function isAlias({ source, destination }: Transfer): ServiceError {
  const state = "both are the same, reached through a mount or by a name in another case; " +
    "nothing was changed";
  const action = `Cannot move ${JSON.stringify(source)} to`;
  return fileError({ action, path: destination }, "conflict", state);
}

// Moves to another file system: copies with all metadata that the system lets us keep, then removes
// the source.

/**
 * Moves completely or not at all. The source loses its name in one step before anything is
 * replaced, and gets it back if the rest fails.
 * @throws ServiceError `conflict` when another program changes the source meanwhile,
 * `permission_denied` when not all of it could be removed; nothing is moved then.
 */
async function moveByCopy(context: Context, transfer: Transfer): Promise<void> {
  const { platform: { files }, session, signal } = context;
  const { verb, source, destination, info } = transfer;
  await checkNoMounts("Cannot move", source, files);
  await checkRemovable(files, source, signal);
  const { journal } = await session.use(Files).writing();
  const { extendedAttributes, fileRanges } = files;
  const entries: CopiedEntry[] = [];
  await withTemporary(journal, destination, async (temporary) => {
    const copied = async (entry: CopiedEntry, copy: string, opened?: OpenFiles) => {
      await keepMetadata(entry.info, copy, { opened, extendedAttributes });
      entries.push(entry);
    };
    const copy = new TreeCopy({ verb, signal, fileRanges, copied });
    await copy.copy({ path: source, info }, temporary);
    await checkAllUnchanged(entries);
    signal.throwIfAborted(); // from here on the move is completed, even if the client disconnects
    await takeAside(journal, source, async (aside) => {
      await checkAllUnchanged(entries.map((entry) => movedAside(entry, source, aside)));
      await moveIntoPlace(files, temporary, transfer);
      await trySyncFolder(destination); // the copy is on disk before its source is removed
      await trySyncFolder(dirname(destination));
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
  info: Deno.FileInfo,
  copy: string,
  { opened, extendedAttributes }: Keeping,
): Promise<void> {
  const keepsOwner = await tryChown(info, copy, opened?.to);
  if (opened !== undefined && info.mode !== null) {
    const { from, to } = opened;
    const { mode } = await to.stat();
    await to.handle.chmod(info.mode & 0o777 | 0o600); // setting attributes requires write permission
    if (extendedAttributes.ready) extendedAttributes.use(from.fd, to.fd);
    await to.handle.chmod(modeOfCopy(info, { keepsOwner }, mode));
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
  const { uid, gid } = await (made?.stat() ?? Deno.lstat(copy));
  if (uid === info.uid && gid === info.gid) return true;
  try {
    await (made?.handle.chown(info.uid, info.gid) ?? lchown(copy, info.uid, info.gid));
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
    const state = "another program has changed it in the meantime; nothing was moved";
    throw fileError({ action: "Cannot move", path: entry.path }, "conflict", state);
  }
}

/** The ctime of a file with several hard links changes when one of them is removed. */
async function isUnchanged({ path, info }: CopiedEntry): Promise<boolean> {
  const now = await lstatIfThere(path);
  return now !== undefined && isSame(info, now) && now.size === info.size &&
    now.isFile === info.isFile && now.isDirectory === info.isDirectory &&
    time(now.mtime) === time(info.mtime) &&
    (info.isDirectory || info.nlink !== 1 || info.ctime === null ||
      time(now.ctime) === time(info.ctime));
}

function time(date: Date | null): number | undefined {
  return date?.getTime();
}

// Checks that a whole tree can be removed, before any step that would have to be undone.

/** @throws ServiceError `permission_denied` that names the first entry which cannot be removed. */
async function checkRemovable(
  { removability }: Pick<FileSystem, "removability">,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  if (!removability.ready) return; // only the attempt can show it
  const { use } = removability;
  const refuse = (entry: string, reason: string): never => {
    const at = entry === path ? "it" : JSON.stringify(entry);
    const state = `${at} cannot be removed: ${reason}; nothing was changed`;
    throw fileError({ action: "Cannot move", path }, "permission_denied", state);
  };
  const check = async (entry: string, isDirectory: boolean): Promise<void> => {
    signal.throwIfAborted();
    if (await use.isMarked(entry)) refuse(entry, MARKED);
    if (!isDirectory) return;
    let isEmpty = true;
    for await (const { name, isDirectory } of Deno.readDir(entry)) {
      if (isEmpty && !await use.mayChange(entry)) refuse(join(entry, name), READ_ONLY);
      isEmpty = false;
      await check(join(entry, name), isDirectory);
    }
  };
  if (!await use.mayChange(dirname(path))) refuse(path, READ_ONLY);
  await check(path, (await Deno.lstat(path)).isDirectory);
}

const READ_ONLY = "its folder may not be changed by this user, or its file system is read-only";
const MARKED = "it is marked as immutable or append-only";
