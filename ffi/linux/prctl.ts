/**
 * Settings of the calling process, from the C library of Linux: declarations only (sys/prctl.h).
 */

const SYMBOLS = {
  // int prctl(int option, unsigned long arg2, unsigned long arg3, unsigned long arg4, unsigned long arg5);
  prctl: { parameters: ["i32", "usize", "usize", "usize", "usize"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type PrctlLibrary = Deno.DynamicLibrary<typeof SYMBOLS>;

/** Orphaned descendants become children of this process instead of process 1. */
export const PR_SET_CHILD_SUBREAPER = 36;
export const PR_GET_DUMPABLE = 3;
export const PR_SET_DUMPABLE = 4;
/** No core dump is written, and no other process of the user can read the memory. */
export const SUID_DUMP_DISABLE = 0n;

/** @throws Error when there is no such library. */
export function openPrctl(file = "libc.so.6"): PrctlLibrary {
  return Deno.dlopen(file, SYMBOLS);
}
