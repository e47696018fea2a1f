/** Reads the hidden attribute of one file or folder. */

import { toNamespacedPath } from "node:path";
import { keepAlive, wideText } from "../../../../ffi/memory.ts";
import {
  FILE_ATTRIBUTE_HIDDEN,
  INVALID_FILE_ATTRIBUTES,
  openFiles,
} from "../../../../ffi/windows/kernel32_files.ts";
import type { IsMarkedHidden } from "../../types/mod.ts";

export function openHiddenMark(): IsMarkedHidden {
  const { GetFileAttributesW } = openFiles();
  return async (path) => {
    const name = wideText(toNamespacedPath(path));
    const attributes = await GetFileAttributesW(name);
    keepAlive(name); // another thread still reads it
    return attributes !== INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_HIDDEN) !== 0;
  };
}
