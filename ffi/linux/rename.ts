/** Exclusive renames and exchanges, from the C library of Linux: declarations only. */

export const RENAME_SYMBOLS = {
  // int renameat2(int olddirfd, const char *oldpath, int newdirfd, const char *newpath, unsigned int flags);
  renameat2: {
    parameters: ["i32", "buffer", "i32", "buffer", "u32"],
    result: "i32",
    nonblocking: true,
  },
} as const satisfies Deno.ForeignLibraryInterface;

export type RenameLibrary = Deno.DynamicLibrary<typeof RENAME_SYMBOLS>;

/** `olddirfd`, `newdirfd`: relative paths start at the working directory. */
export const AT_FDCWD = -100;

/** `flags`: fails with `EEXIST` when the new path exists. */
export const RENAME_NOREPLACE = 1;

/** `flags`: exchanges the two paths atomically. */
export const RENAME_EXCHANGE = 2;

/** @throws when there is no such library, or it lacks this call. */
export function openRenameLibrary(file = "libc.so.6"): RenameLibrary {
  return Deno.dlopen(file, RENAME_SYMBOLS);
}
