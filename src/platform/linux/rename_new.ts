/** Renames by `renameat2`, which refuses where something is there. */

import {
  AT_FDCWD,
  openRenameLibrary,
  RENAME_NOREPLACE,
  type RenameLibrary,
} from "../../../ffi/linux/rename.ts";
import type { RenameNew } from "../rename_new.ts";

export function openLinuxRenameNew(): RenameNew {
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
      return await symbols.renameat2(AT_FDCWD, source, AT_FDCWD, target, RENAME_NOREPLACE) === 0;
    } finally {
      inUse.delete(paths);
    }
  };
}

function cText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text + "\0");
}
