/** Copying in the kernel and finding holes, from the C library of Linux: declarations only. */

export const FILE_COPY_SYMBOLS = {
  // off_t lseek(int fd, off_t offset, int whence);
  lseek: { parameters: ["i32", "i64", "i32"], result: "i64" },
  // ssize_t copy_file_range(int fd_in, off64_t *off_in, int fd_out, off64_t *off_out, size_t len, unsigned int flags);
  copy_file_range: {
    parameters: ["i32", "buffer", "i32", "buffer", "usize", "u32"],
    result: "isize",
    nonblocking: true,
  },
} as const satisfies Deno.ForeignLibraryInterface;

export type FileCopyLibrary = Deno.DynamicLibrary<typeof FILE_COPY_SYMBOLS>;

/** `whence`: the next data, and the next hole; the end of a file counts as a hole. */
export const SEEK_DATA = 3;
export const SEEK_HOLE = 4;

/** @throws when there is no such library, or it lacks these calls. */
export function openFileCopyLibrary(file = "libc.so.6"): FileCopyLibrary {
  return Deno.dlopen(file, FILE_COPY_SYMBOLS);
}
