/** Permissions and attributes of files, from the C library of Linux: declarations only. */

export const FILE_STATE_SYMBOLS = {
  // int statx(int dirfd, const char *pathname, int flags, unsigned int mask, struct statx *statxbuf);
  statx: {
    parameters: ["i32", "buffer", "i32", "u32", "buffer"],
    result: "i32",
    nonblocking: true,
  },
  // int faccessat(int dirfd, const char *pathname, int mode, int flags);
  faccessat: { parameters: ["i32", "buffer", "i32", "i32"], result: "i32", nonblocking: true },
} as const satisfies Deno.ForeignLibraryInterface;

export type FileStateLibrary = Deno.DynamicLibrary<typeof FILE_STATE_SYMBOLS>;

/** `dirfd`: relative paths start at the working directory. */
export const AT_FDCWD = -100;
/** `flags`: do not follow a symbolic link; check as the effective user. */
export const AT_SYMLINK_NOFOLLOW = 0x100;
export const AT_EACCESS = 0x200;
/** `mode`: write and search permission. */
export const W_OK_X_OK = 3;

/**
 * `struct statx`: its size, the offset of `stx_attributes` (64 bits), and the attributes that
 * forbid removal.
 */
export const STATX = { bytes: 256, attributes: 8 } as const;
export const STATX_ATTR_IMMUTABLE_OR_APPEND = 0x10n | 0x20n;

/** @throws when there is no such library, or it lacks these calls. */
export function openFileStateLibrary(file = "libc.so.6"): FileStateLibrary {
  return Deno.dlopen(file, FILE_STATE_SYMBOLS);
}
