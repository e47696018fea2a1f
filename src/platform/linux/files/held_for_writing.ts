/**
 * Detects writers with a read lease, which the kernel refuses while any program has the file open
 * for writing.
 */

import {
  EAGAIN,
  F_RDLCK,
  F_SETLEASE,
  F_SETSIG,
  F_UNLCK,
  HARMLESS_SIGNAL,
  openLeaseLibrary,
} from "../../../../ffi/linux/lease.ts";
import type { HeldForWriting } from "../../types/mod.ts";

/**
 * Files that do not allow a lease at all, such as those of another user, count as not held.
 * @throws when the C library is not glibc.
 */
export function openHeldForWriting(): HeldForWriting {
  const { fcntl, __errno_location: errno } = openLeaseLibrary().symbols;
  return (fd) => {
    fcntl(fd, F_SETSIG, HARMLESS_SIGNAL);
    if (fcntl(fd, F_SETLEASE, F_RDLCK) === 0) {
      fcntl(fd, F_SETLEASE, F_UNLCK);
      return false;
    }
    const reason = errno(); // of this thread, set by the previous call
    return reason !== null && new Deno.UnsafePointerView(reason).getInt32() === EAGAIN;
  };
}
