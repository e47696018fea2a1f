/** Reads a folder by the way that the runtime has on every system. */

import type { FolderEntry } from "./types/mod.ts";

export function readFolderByRuntime(path: string): Iterable<FolderEntry> {
  return Deno.readDirSync(path);
}
