/**
 * A write lease: the kernel blocks other opens of the file until the lease is given back, for 45 s
 * by default (`/proc/sys/fs/lease-break-time`).
 */

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

/** @throws when the C library is not glibc. */
export function openFileLease(): TakeLease {
  const { fcntl, __errno_location: errno } = openLeaseLibrary().symbols;
  return (fd) => {
    fcntl(fd, F_SETSIG, HARMLESS_SIGNAL);
    if (fcntl(fd, F_SETLEASE, F_WRLCK) === 0) {
      return { [Symbol.dispose]: () => void fcntl(fd, F_SETLEASE, F_UNLCK) };
    }
    const reason = errno(); // of this thread, set by the previous call
    const isHeld = reason !== null && new Deno.UnsafePointerView(reason).getInt32() === EAGAIN;
    return isHeld ? "held" : "unavailable";
  };
}
