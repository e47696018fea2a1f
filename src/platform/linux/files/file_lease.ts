/** A write lease: the system lets nobody else open the file until it is given back, for 45 s unless it was set otherwise. */

import {
  EAGAIN,
  F_SETLEASE,
  F_SETSIG,
  F_UNLCK,
  F_WRLCK,
  HARMLESS_SIGNAL,
  openLeaseLibrary,
} from "../../../../ffi/linux/lease.ts";
import type { TakeLease } from "../../types/mod.ts";

/** @throws where the C library is another one. */
export function openFileLease(): TakeLease {
  const { fcntl, __errno_location: errno } = openLeaseLibrary().symbols;
  return (fd) => {
    fcntl(fd, F_SETSIG, HARMLESS_SIGNAL);
    if (fcntl(fd, F_SETLEASE, F_WRLCK) === 0) {
      return { [Symbol.dispose]: () => void fcntl(fd, F_SETLEASE, F_UNLCK) };
    }
    const reason = errno(); // of this thread, and of the call before
    const isHeld = reason !== null && new Deno.UnsafePointerView(reason).getInt32() === EAGAIN;
    return isHeld ? "held" : "unavailable";
  };
}
