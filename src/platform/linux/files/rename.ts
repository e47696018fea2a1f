/** Renames by `renameat2`, which refuses where something is there, or exchanges both. */

import {
  AT_FDCWD,
  openRenameLibrary,
  RENAME_EXCHANGE,
  RENAME_NOREPLACE,
} from "../../../../ffi/linux/rename.ts";
import type { Rename } from "../../types/mod.ts";

/** @throws where the C library is another one, or an old one. */
export function openExclusiveRename(): Rename {
  return openRename(RENAME_NOREPLACE);
}

/** @throws as above. */
export function openExchange(): Rename {
  return openRename(RENAME_EXCHANGE);
}

function openRename(flags: number): Rename {
  const { symbols } = openRenameLibrary();
  /** What the other thread reads must not be collected meanwhile. */
  const inUse = new Set<readonly Uint8Array[]>();
  return async (from, to) => {
    const [source, target] = [cText(from), cText(to)];
    const paths = [source, target];
    inUse.add(paths);
    try {
      return await symbols.renameat2(AT_FDCWD, source, AT_FDCWD, target, flags) === 0;
    } finally {
      inUse.delete(paths);
    }
  };
}

function cText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text + "\0");
}
