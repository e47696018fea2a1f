/** Asks by a lease, which the system refuses as long as a program has the file open for writing. */

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
 * Files on which no lease can be had at all, as those of another user, count as not held.
 * @throws where the C library is another one.
 */
export function openHeldForWriting(): HeldForWriting {
  const { fcntl, __errno_location: errno } = openLeaseLibrary().symbols;
  return (fd) => {
    fcntl(fd, F_SETSIG, HARMLESS_SIGNAL);
    if (fcntl(fd, F_SETLEASE, F_RDLCK) === 0) {
      fcntl(fd, F_SETLEASE, F_UNLCK);
      return false;
    }
    const reason = errno(); // of this thread, and of the call before
    return reason !== null && new Deno.UnsafePointerView(reason).getInt32() === EAGAIN;
  };
}
