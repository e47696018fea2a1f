/** Extended attributes of open files, from the C library of Linux: declarations only. */

export const XATTR_SYMBOLS = {
  // ssize_t flistxattr(int fd, char *list, size_t size);
  flistxattr: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  // ssize_t fgetxattr(int fd, const char *name, void *value, size_t size);
  fgetxattr: { parameters: ["i32", "buffer", "buffer", "usize"], result: "isize" },
  // int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags);
  fsetxattr: { parameters: ["i32", "buffer", "buffer", "usize", "i32"], result: "i32" },
  // int fremovexattr(int fd, const char *name);
  fremovexattr: { parameters: ["i32", "buffer"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type XattrLibrary = Deno.DynamicLibrary<typeof XATTR_SYMBOLS>;

/** @throws when there is no such library. */
export function openXattrLibrary(file = "libc.so.6"): XattrLibrary {
  return Deno.dlopen(file, XATTR_SYMBOLS);
}
