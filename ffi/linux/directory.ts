/**
 * Reading folders and setting the priority of a thread, from the C library of Linux: declarations
 * only.
 */

export const DIRECTORY_SYMBOLS = {
  // int open(const char *pathname, int flags, ...);
  open: { parameters: ["buffer", "i32"], result: "i32" },
  // int close(int fd);
  close: { parameters: ["i32"], result: "i32" },
  // ssize_t getdents64(int fd, void *dirp, size_t count);
  getdents64: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  // int setpriority(int which, id_t who, int prio);
  setpriority: { parameters: ["i32", "u32", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type DirectoryLibrary = Deno.DynamicLibrary<typeof DIRECTORY_SYMBOLS>;

/**
 * `O_RDONLY | O_CLOEXEC | O_NONBLOCK`, the same on x86-64 and ARM; `O_DIRECTORY` differs between
 * them.
 */
export const OPEN_FLAGS = 0o2004000;

/** With `who` 0: the calling thread. */
export const PRIO_PROCESS = 0;

/**
 * `struct linux_dirent64`: the offsets of its fields; `DT`: the values of `d_type` that are used.
 */
export const DIRENT = { reclen: 16, type: 18, name: 19 } as const;
export const DT = { unknown: 0, directory: 4, regular: 8, link: 10 } as const;

/** @throws when there is no such library. */
export function openDirectoryLibrary(file = "libc.so.6"): DirectoryLibrary {
  return Deno.dlopen(file, DIRECTORY_SYMBOLS);
}
