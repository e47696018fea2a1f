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
export function isVisible({ name, isMarkedHidden }: FolderEntry, includeHidden: boolean): boolean {
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
export function statEntry(folder: string, entry: FolderEntry): EntryFields | undefined {
  const path = joined(folder, entry.name);
  try {
    const own = Deno.lstatSync(path);
    const { isDirectory, size, mtime } = own.isSymlink ? statTarget(path) ?? own : own;
    return toEntry(path, { isDirectory, size, mtime, isMarkedHidden: isMarkedHidden(entry) });
  } catch {
    return entry.name.includes(REPLACEMENT) ? statUnreadableName(folder, entry) : undefined;
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
function statUnreadableName(folder: string, entry: FolderEntry): EntryFields | undefined {
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

// Orders names by code point, which is also the order of their UTF-8 bytes.

/** Sorts in place. */
export function sortByName<T extends { readonly name: string }>(entries: T[]): T[] {
  return entries.sort((one, other) => compareText(one.name, other.name));
}

/** Folders first, then by `key`. */
export function foldersFirst<T extends { readonly type: string }>(key: (entry: T) => string) {
  return (one: T, other: T): number => {
    if (one.type !== other.type) return one.type === "directory" ? -1 : 1;
    return compareText(key(one), key(other));
  };
}

export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  // the engine compares code units, whose order differs from that of code points only with
  // surrogates
  if (hasSurrogate(one) || hasSurrogate(other)) return compareCodePoints(one, other);
  return one < other ? -1 : 1;
}

function hasSurrogate(text: string): boolean {
  return /[\ud800-\udfff]/.test(text);
}

function compareCodePoints(one: string, other: string): number {
  const [these, those] = [[...one], [...other]];
  const length = Math.min(these.length, those.length);
  for (let index = 0; index < length; index++) {
    const difference = these[index]!.codePointAt(0)! - those[index]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return these.length - those.length;
}
