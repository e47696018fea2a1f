/** Looks at entries with the synchronous calls: for a worker, which holds nobody up. */

import type { FolderEntry, ReadFolder } from "../../../platform/folder_reader.ts";
import { type EntryFields, entryOf, isHidden } from "../entry.ts";

/** How bytes of a name that are not UTF-8 are shown. */
const REPLACEMENT = "\ufffd";

/** What a walk works with. */
export interface Walking {
  readonly readFolder: ReadFolder;
  /** @throws Stopped when nobody wants the rest. */
  checkStop(): void;
}

/** Whether the caller wants to see the name at all. */
export function isShown(name: string, includeHidden: boolean): boolean {
  return includeHidden || !isHidden(name);
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
    return entryOf(path, own.isSymlink ? targetOf(path) ?? own : own);
  } catch {
    return entry.name.includes(REPLACEMENT) ? lookAtUnreadableName(folder, entry) : undefined;
  }
}

/** Without a second slash after the root. */
export function joined(folder: string, name: string): string {
  return folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}

function targetOf(path: string): Deno.FileInfo | undefined {
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
    const facts = { isDirectory: entry.isDirectory, size: 0, mtime };
    return entryOf(joined(folder, entry.name), facts);
  } catch {
    return undefined;
  }
}
