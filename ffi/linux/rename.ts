/** Renaming without replacing, and exchanging, from the C library of Linux: declarations only. */

export const RENAME_SYMBOLS = {
  // int renameat2(int olddirfd, const char *oldpath, int newdirfd, const char *newpath, unsigned int flags);
  renameat2: {
    parameters: ["i32", "buffer", "i32", "buffer", "u32"],
    result: "i32",
    nonblocking: true,
  },
} as const satisfies Deno.ForeignLibraryInterface;

export type RenameLibrary = Deno.DynamicLibrary<typeof RENAME_SYMBOLS>;

/** `olddirfd`, `newdirfd`: paths count from the working folder. */
export const AT_FDCWD = -100;

/** `flags`: fails with `EEXIST` where something is there. */
export const RENAME_NOREPLACE = 1;

/** `flags`: what is at both paths changes places, in one step. */
export const RENAME_EXCHANGE = 2;

/** @throws when there is no such library, or it is older than this call. */
export function openRenameLibrary(file = "libc.so.6"): RenameLibrary {
  return Deno.dlopen(file, RENAME_SYMBOLS);
}
