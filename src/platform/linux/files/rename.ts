/** Renames by `renameat2`, which refuses where something is there, or exchanges both. */

import {
  AT_FDCWD,
  openRenameLibrary,
  RENAME_EXCHANGE,
  RENAME_NOREPLACE,
  type RenameLibrary,
} from "../../../../ffi/linux/rename.ts";
import type { RenameNew } from "../../rename_new.ts";

export function openLinuxRenameNew(): RenameNew {
  return openRename(RENAME_NOREPLACE);
}

export function openLinuxExchange(): RenameNew {
  return openRename(RENAME_EXCHANGE);
}

function openRename(flags: number): RenameNew {
  let library: RenameLibrary;
  try {
    library = openRenameLibrary();
  } catch {
    return () => Promise.resolve(false); // a system without the GNU C library, or an old one
  }
  const { symbols } = library;
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
