/** Leases on open files, from the C library of Linux: declarations only (fcntl.h). */

const SYMBOLS = {
  // int fcntl(int fd, int cmd, ...);
  fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
  // int *__errno_location(void);
  __errno_location: { parameters: [], result: "pointer" },
} as const satisfies Deno.ForeignLibraryInterface;

export type LeaseLibrary = Deno.DynamicLibrary<typeof SYMBOLS>;

/**
 * Sets the signal sent when another program wants to break a lease; the default, `SIGIO`, would end
 * the process.
 */
export const F_SETSIG = 10;
/** `SIGURG`, which is ignored unless the process handles it. */
export const HARMLESS_SIGNAL = 23;
export const F_SETLEASE = 1024;
/** A read lease is refused while any program has the file open for writing. */
export const F_RDLCK = 0;
/**
 * A write lease is refused while any other descriptor has the file open; opening the file waits
 * until the lease ends.
 */
export const F_WRLCK = 1;
export const F_UNLCK = 2;

/**
 * `errno`: the lease was refused because the file is open elsewhere; other causes have other
 * numbers.
 */
export const EAGAIN = 11;

/** @throws when there is no such library. */
export function openLeaseLibrary(file = "libc.so.6"): LeaseLibrary {
  return Deno.dlopen(file, SYMBOLS);
}
