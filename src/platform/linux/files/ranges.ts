/**
 * Finds data and holes of files with `lseek`, and copies with `copy_file_range`, which shares
 * blocks where the file system can.
 */

import {
  F_RDLCK,
  F_SETLEASE,
  F_SETSIG,
  F_UNLCK,
  FILE_COPY_SYMBOLS,
  HARMLESS_SIGNAL,
  LEASE_SYMBOLS,
  SEEK_DATA,
  SEEK_HOLE,
} from "../../../../ffi/linux/files.ts";
import { openLibc } from "../../../../ffi/linux/libc.ts";
import { ERRNO, readErrno } from "../../../../ffi/linux/sockets.ts";
import { keepAlive } from "../../../../ffi/memory.ts";
import type { FileRanges, HeldForWriting } from "../../types/mod.ts";

/** @throws when the C library is not glibc, or is too old. */
export function openFileRanges(): FileRanges {
  const { symbols } = openLibc(FILE_COPY_SYMBOLS);
  const seek = (fd: number, at: number, whence: number) =>
    Number(symbols.lseek(fd, BigInt(at), whence));
  return {
    nextData(fd, at, size) {
      // every file ends with a hole: a file system without support for holes reports none at all
      if (seek(fd, at, SEEK_HOLE) < 0) return at < size ? { start: at, end: size } : undefined;
      const start = seek(fd, at, SEEK_DATA);
      if (start < 0 || start >= size) return undefined;
      const end = seek(fd, start, SEEK_HOLE);
      return { start, end: end <= start ? size : Math.min(end, size) };
    },
    async copy({ from, to }, { start, end }) {
      const offset = () => new Uint8Array(BigInt64Array.of(BigInt(start)).buffer);
      const [source, target] = [offset(), offset()];
      const length = BigInt(end - start);
      const copied = await symbols.copy_file_range(from, source, to, target, length, 0);
      keepAlive(source, target); // another thread still used them
      return Math.max(0, Number(copied));
    },
  };
}

// Detects writers with a read lease, which the kernel refuses while any program has the file open
// for writing.

/**
 * Files that do not allow a lease at all, such as those of another user, count as not held.
 * @throws when the C library is not glibc.
 */
export function openHeldForWriting(): HeldForWriting {
  const libc = openLibc(LEASE_SYMBOLS).symbols;
  return (fd) => {
    libc.fcntl(fd, F_SETSIG, HARMLESS_SIGNAL);
    if (libc.fcntl(fd, F_SETLEASE, F_RDLCK) !== 0) return readErrno(libc) === ERRNO.EAGAIN;
    libc.fcntl(fd, F_SETLEASE, F_UNLCK);
    return false;
  };
}
