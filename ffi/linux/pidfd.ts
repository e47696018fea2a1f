/** Descriptors of other processes, from the C library of Linux: declarations only (unistd.h). */

const SYMBOLS = {
  // long syscall(long number, ...);
  syscall: { parameters: ["isize", "isize", "isize", "isize"], result: "isize" },
  // int close(int fd);
  close: { parameters: ["i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type PidfdLibrary = Deno.DynamicLibrary<typeof SYMBOLS>;

/** `int pidfd_open(pid_t pid, unsigned int flags);` the same number on all systems (Linux 5.3). */
export const SYS_PIDFD_OPEN = 434n;
/** `int pidfd_getfd(int pidfd, int targetfd, unsigned int flags);` (Linux 5.6) */
export const SYS_PIDFD_GETFD = 438n;

/** @throws Error when there is no such library. */
export function openPidfdLibrary(file = "libc.so.6"): PidfdLibrary {
  return Deno.dlopen(file, SYMBOLS);
}
