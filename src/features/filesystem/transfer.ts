/** What moving and copying share: source and destination, their checks, and the last step. */

import { dirname } from "node:path";
import { FieldError } from "../../core/errors.ts";
import { isThere, lstatIfThere } from "../../core/files.ts";
import type { FileSystem } from "../../platform/types/mod.ts";
import {
  existsAlready,
  type FileAction,
  fileError,
  systemCode,
  translating,
} from "./file_errors.ts";
import { compareEntries, isSame, realEntryPath, resolvePath, type Sameness } from "./paths.ts";
import { appear } from "./safe_write/temporary.ts";

export interface TransferInput {
  readonly source: string;
  readonly destination: string;
  readonly overwrite: boolean;
}

export interface Transfer {
  readonly verb: "move" | "copy";
  readonly source: string;
  /** What is transferred: the source itself, or when copying a named link, its target. */
  readonly from: string;
  readonly destination: string;
  /** Of `from`, without following links. */
  readonly info: Deno.FileInfo;
  readonly sameness: Sameness;
  readonly overwrite: boolean;
}

/**
 * Checks source and destination.
 * @throws ServiceError when the transfer is impossible or forbidden; nothing is changed.
 */
export async function planTransfer(
  verb: Transfer["verb"],
  input: TransferInput,
  home: string,
): Promise<Transfer> {
  const source = resolvePath(input.source, home, "source");
  const destination = resolvePath(input.destination, home, "destination");
  const { overwrite } = input;
  const action = `Cannot ${verb}`;
  const replacing = { action: `Cannot ${verb} to`, path: destination };
  const { from, info } = await translating({ action, path: source, field: "source" }, async () => {
    const from = verb === "copy" ? await Deno.realPath(source) : source;
    return { from, info: await Deno.lstat(from) };
  });
  return await translating({ action, path: destination, field: "destination" }, async () => {
    if (info.isDirectory) await checkNotInside(from, info, destination);
    const there = await isThere(destination);
    if (there && !overwrite) throw existsAlready(replacing);
    const sameness = there ? await compareEntries({ source, info }, destination) : "different";
    if (there && sameness === "different") await checkReplaceable(replacing, info);
    return { verb, source, from, destination, info, sameness, overwrite };
  });
}

async function checkNotInside(
  source: string,
  info: Deno.FileInfo,
  destination: string,
): Promise<void> {
  const base = await Deno.realPath(source);
  let folder = dirname(await realEntryPath(destination));
  // compares inodes too: a bind mount gives a folder a second path
  for (; folder !== base; folder = dirname(folder)) {
    const there = await lstatIfThere(folder);
    if (there !== undefined && isSame(info, there)) break;
    if (dirname(folder) === folder) return;
  }
  throw new FieldError("destination", "The destination lies inside the folder itself");
}

/**
 * A file may replace a file, but a folder only an empty one: a mistake must not lose a folder's
 * content.
 */
async function checkReplaceable(
  replacing: Pick<FileAction, "action" | "path">,
  info: Deno.FileInfo,
): Promise<void> {
  const there = await Deno.lstat(replacing.path);
  if (!there.isDirectory) {
    if (!info.isDirectory) return;
    throw fileError(replacing, "not_a_directory", "a file is there, and the source is a folder");
  }
  if (!info.isDirectory) {
    throw fileError(replacing, "is_a_directory", "a folder is there, and the source is a file");
  }
  for await (const _entry of Deno.readDir(replacing.path)) {
    throw fileError(replacing, "not_empty", "the folder there is not empty; delete it first");
  }
}

// Gives a file or folder its final name; replaces an existing entry only if requested.

/**
 * @throws ServiceError `already_exists` when another program has created an entry there meanwhile.
 */
export async function moveIntoPlace(
  files: Pick<FileSystem, "exclusiveRename">,
  from: string,
  { verb, destination, info, overwrite }: Transfer,
): Promise<void> {
  if (overwrite) return await Deno.rename(from, destination);
  try {
    await moveExclusively(files, { from, to: destination, isFolder: info.isDirectory });
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    throw existsAlready({ action: `Cannot ${verb} to`, path: destination });
  }
}

/** @throws the system's error: EEXIST when there is something at the path */
export async function moveExclusively(
  { exclusiveRename }: Pick<FileSystem, "exclusiveRename">,
  { from, to, isFolder }: {
    readonly from: string;
    readonly to: string;
    readonly isFolder: boolean;
  },
): Promise<void> {
  if (exclusiveRename.ready && await exclusiveRename.use(from, to)) return;
  await (isFolder ? moveFolderExclusively : moveFileExclusively)(from, to);
}

/** Renaming replaces an empty folder, and fails if the folder has content. */
async function moveFolderExclusively(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  try {
    await Deno.rename(from, to);
  } catch (error) {
    await Deno.remove(to).catch(() => {});
    throw error;
  }
}

async function moveFileExclusively(from: string, to: string): Promise<void> {
  if (!await appear(from, to)) return;
  try {
    await Deno.remove(from);
  } catch (error) {
    await Deno.remove(to).catch(() => {});
    throw error;
  }
}
