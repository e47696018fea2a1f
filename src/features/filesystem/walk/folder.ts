/** Looks at entries with the synchronous calls: for a worker, which holds nobody up. */

import { sep } from "node:path";
import type { FolderEntry, ReadFolder } from "../../../platform/types/mod.ts";
import { type EntryFields, isHidden, toEntry } from "../entry.ts";

/** How bytes of a name that are not UTF-8 are shown. */
const REPLACEMENT = "\ufffd";

/** What a walk works with. */
export interface Walking {
  readonly readFolder: ReadFolder;
  /** @throws Stopped when nobody wants the rest. */
  checkStop(): void;
}

/** Whether the caller wants to see the name at all. */
export function isShown({ name, isMarkedHidden }: FolderEntry, includeHidden: boolean): boolean {
  return includeHidden || !(isMarkedHidden || isHidden(name));
}

/** Whether it is a folder, or a link to one. */
export function leadsToFolder(path: string, entry: FolderEntry): boolean {
  if (!entry.isSymlink) return entry.isDirectory;
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false; // it leads nowhere
  }
}

/** The entry in `folder`; `undefined` when it is gone meanwhile. */
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

/** Without a second separator after the root. */
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

/** No call takes a name that is not UTF-8, so all that is known is the name. */
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
