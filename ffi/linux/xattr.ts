/** Extended attributes of files, from the C library of Linux: declarations only. */

export const XATTR_SYMBOLS = {
  // ssize_t listxattr(const char *path, char *list, size_t size);
  listxattr: { parameters: ["buffer", "buffer", "usize"], result: "isize" },
  // ssize_t getxattr(const char *path, const char *name, void *value, size_t size);
  getxattr: { parameters: ["buffer", "buffer", "buffer", "usize"], result: "isize" },
  // int setxattr(const char *path, const char *name, const void *value, size_t size, int flags);
  setxattr: { parameters: ["buffer", "buffer", "buffer", "usize", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type XattrLibrary = Deno.DynamicLibrary<typeof XATTR_SYMBOLS>;

/** @throws when there is no such library. */
export function openXattrLibrary(file = "libc.so.6"): XattrLibrary {
  return Deno.dlopen(file, XATTR_SYMBOLS);
}
