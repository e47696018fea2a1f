/** Leases on open files, from the C library of Linux: declarations only (fcntl.h). */

const SYMBOLS = {
  // int fcntl(int fd, int cmd, ...);
  fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
  // int *__errno_location(void);
  __errno_location: { parameters: [], result: "pointer" },
} as const satisfies Deno.ForeignLibraryInterface;

export type LeaseLibrary = Deno.DynamicLibrary<typeof SYMBOLS>;

/** The signal that tells of a lease which another program wants to break; by default it would be one that ends us. */
export const F_SETSIG = 10;
/** `SIGURG`, which is ignored where nobody asks for it. */
export const HARMLESS_SIGNAL = 23;
export const F_SETLEASE = 1024;
/** A lease for reading is refused while any program has the file open for writing. */
export const F_RDLCK = 0;
/** A lease for writing is refused while any program has the file open at all; opening it waits until the lease ends. */
export const F_WRLCK = 1;
export const F_UNLCK = 2;

/** `errno`: a lease is refused because of how the file is open, and not for another reason. */
export const EAGAIN = 11;

/** @throws when there is no such library. */
export function openLeaseLibrary(file = "libc.so.6"): LeaseLibrary {
  return Deno.dlopen(file, SYMBOLS);
}
