/**
 * Renames with `renameat2`, which either refuses to replace an existing target or exchanges the two
 * paths.
 */

import {
  AT_FDCWD,
  openRenameLibrary,
  RENAME_EXCHANGE,
  RENAME_NOREPLACE,
} from "../../../../ffi/linux/rename.ts";
import type { Rename } from "../../types/mod.ts";

/** @throws when the C library is not glibc, or is too old. */
export function openExclusiveRename(): Rename {
  return openRename(RENAME_NOREPLACE);
}

/** @throws as above. */
export function openExchange(): Rename {
  return openRename(RENAME_EXCHANGE);
}

function openRename(flags: number): Rename {
  const { symbols } = openRenameLibrary();
  /** Buffers in use by the other thread, which must not be collected meanwhile. */
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
