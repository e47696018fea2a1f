/** Examines entries with synchronous calls, for a worker, in which they delay no request. */

import { sep } from "node:path";
import type { FolderEntry, ReadFolder } from "../../../platform/types/mod.ts";
import { type EntryFields, isHidden, toEntry } from "../entry.ts";

/** Replaces bytes of a name that are not UTF-8. */
const REPLACEMENT = "\ufffd";

/** What a walk needs. */
export interface Walking {
  readonly readFolder: ReadFolder;
  /** @throws Stopped when no client wants the rest. */
  checkStop(): void;
}

/** Whether the caller wants to see this name. */
export function isShown({ name, isMarkedHidden }: FolderEntry, includeHidden: boolean): boolean {
  return includeHidden || !(isMarkedHidden || isHidden(name));
}

/** Whether the entry is a folder or a link to one. */
export function leadsToFolder(path: string, entry: FolderEntry): boolean {
  if (!entry.isSymlink) return entry.isDirectory;
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false; // a dangling link
  }
}

/** The entry in `folder`; `undefined` if it no longer exists. */
export function lookAt(folder: string, entry: FolderEntry): EntryFields | undefined {
  const path = joined(folder, entry.name);
  try {
    const own = Deno.lstatSync(path);
    const { isDirectory, size, mtime } = own.isSymlink ? statTarget(path) ?? own : own;
    return toEntry(path, { isDirectory, size, mtime, isMarkedHidden: isMarkedHidden(entry) });
  } catch {
    return entry.name.includes(REPLACEMENT) ? lookAtUnreadableName(folder, entry) : undefined;
  }
}

/** Joins without a second separator after the root. */
export function joined(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

function statTarget(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

/** No system call accepts a name that is not UTF-8, so only the name is known. */
function lookAtUnreadableName(folder: string, entry: FolderEntry): EntryFields | undefined {
  try {
    const { mtime } = Deno.statSync(folder);
    const { isDirectory } = entry;
    const facts = { isDirectory, size: 0, mtime, isMarkedHidden: isMarkedHidden(entry) };
    return toEntry(joined(folder, entry.name), facts);
  } catch {
    return undefined;
  }
}

function isMarkedHidden(entry: FolderEntry): boolean {
  return entry.isMarkedHidden ?? false;
}
