/** Reads a folder through the runtime, on any system. */

import type { FolderEntry } from "./types/mod.ts";

export function readFolderByRuntime(path: string): Iterable<FolderEntry> {
  return Deno.readDirSync(path);
}
