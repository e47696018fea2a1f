/**
 * Reads file attributes with `statx`, and permissions with `faccessat`, which also detects
 * read-only mounts.
 */

import {
  AT_EACCESS,
  AT_FDCWD,
  AT_SYMLINK_NOFOLLOW,
  openFileStateLibrary,
  STATX,
  STATX_ATTR_IMMUTABLE_OR_APPEND,
  W_OK_X_OK,
} from "../../../../ffi/linux/file_state.ts";
import type { Removability } from "../../types/mod.ts";

/** @throws when the C library is not glibc. */
export function openRemovability(): Removability {
  const { symbols } = openFileStateLibrary();
  /** Buffers in use by the other thread, which must not be collected meanwhile. */
  const inUse = new Set<readonly Uint8Array[]>();
  return {
    async isMarked(path) {
      const [name, state] = [cText(path), new Uint8Array(STATX.bytes)];
      const buffers = [name, state];
      inUse.add(buffers);
      try {
        if (await symbols.statx(AT_FDCWD, name, AT_SYMLINK_NOFOLLOW, 0, state) !== 0) return false;
        const attributes = new DataView(state.buffer).getBigUint64(STATX.attributes, true);
        return (attributes & STATX_ATTR_IMMUTABLE_OR_APPEND) !== 0n;
      } finally {
        inUse.delete(buffers);
      }
    },
    async mayChange(folder) {
      const name = cText(folder);
      const buffers = [name];
      inUse.add(buffers);
      try {
        return await symbols.faccessat(AT_FDCWD, name, W_OK_X_OK, AT_EACCESS) === 0;
      } finally {
        inUse.delete(buffers);
      }
    },
  };
}

function cText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text + "\0");
}
