/** Examines entries with synchronous calls, for a worker, in which they delay no request. */

import { sep } from "node:path";
import { tryTo } from "../../../core/errors.ts";
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

/** The entry in `folder`; `undefined` if it no longer exists. */
export function statEntry(folder: string, entry: FolderEntry): EntryFields | undefined {
  const path = joined(folder, entry.name);
  try {
    const own = Deno.lstatSync(path);
    const { isDirectory, size, mtime } = own.isSymlink ? statTarget(path) ?? own : own;
    return toEntry(path, { isDirectory, size, mtime, isMarkedHidden: entry.isMarkedHidden });
  } catch {
    return entry.name.includes(REPLACEMENT) ? statUnreadableName(folder, entry) : undefined;
  }
}

/** Joins without a second separator after the root. */
export function joined(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

/** `undefined` for a dangling link. */
export function statTarget(path: string): Deno.FileInfo | undefined {
  return tryTo(() => Deno.statSync(path));
}

/** No system call accepts a name that is not UTF-8, so only the name is known. */
function statUnreadableName(folder: string, entry: FolderEntry): EntryFields | undefined {
  const found = statTarget(folder);
  const path = joined(folder, entry.name);
  return found && toEntry(path, { ...entry, size: 0, mtime: found.mtime });
}

// Orders names by code point, which is also the order of their UTF-8 bytes.

export function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return compareText(one.name, other.name);
}

/** Folders first, then by `key`. */
export function foldersFirst<T extends { readonly type: string }>(key: (entry: T) => string) {
  return (one: T, other: T): number => {
    if (one.type !== other.type) return one.type === "directory" ? -1 : 1;
    return compareText(key(one), key(other));
  };
}

function compareText(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const [unit, otherUnit] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (unit === otherUnit) continue;
    // characters that take two code units come last, though their units do not
    const difference = Number(isSurrogate(unit)) - Number(isSurrogate(otherUnit));
    return difference === 0 ? unit - otherUnit : difference;
  }
  return one.length - other.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}
