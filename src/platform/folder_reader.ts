/** Reads the entries of folders for walks, as fast as the system allows. */

import type { Platform } from "./types/mod.ts";

/** An entry without looking at it: a link is told from what it leads to. */
export interface FolderEntry extends Pick<Deno.DirEntry, "name" | "isDirectory" | "isSymlink"> {
  /** Whether the system hides it by a mark of its own; only Windows has one. */
  readonly isMarkedHidden?: boolean;
}

/** Reads a folder, in no order; without `.` and `..`. @throws the system's error. */
export type ReadFolder = (path: string) => Iterable<FolderEntry>;

/** For the thread that calls: it is a walking worker, and gives way to the threads that answer requests. */
export async function openFolderReader(system: Platform["system"]): Promise<ReadFolder> {
  switch (system) {
    case "linux":
      return (await import("./linux/files/folder_reader.ts")).openLinuxFolderReader();
    case "windows":
      return (await import("./windows/files/folder_reader.ts")).openWindowsFolderReader();
    default:
      return readByRuntime;
  }
}

/** The way that every system has. */
export function readByRuntime(path: string): Iterable<FolderEntry> {
  return Deno.readDirSync(path);
}
