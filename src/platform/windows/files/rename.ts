/** Renames with MoveFileExW, which replaces an existing file only on request. */

import { toNamespacedPath } from "node:path";
import { keepAlive, wideText } from "../../../../ffi/memory.ts";
import { openFiles } from "../../../../ffi/windows/kernel32_files.ts";
import type { Rename } from "../../types/mod.ts";

export function openExclusiveRename(): Rename {
  const { MoveFileExW } = openFiles();
  return async (from, to) => {
    const [source, target] = [wideText(toNamespacedPath(from)), wideText(toNamespacedPath(to))];
    const done = await MoveFileExW(source, target, 0);
    keepAlive(source, target); // another thread still reads them
    return done !== 0;
  };
}
