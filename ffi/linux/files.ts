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

// Copying in the kernel and finding holes, from the C library of Linux: declarations only.

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

/** `whence`: the next data, and the next hole; the end of a file counts as a hole. */
export const SEEK_DATA = 3;
export const SEEK_HOLE = 4;

// Permissions and attributes of files, from the C library of Linux: declarations only.

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

// Leases on open files, from the C library of Linux: declarations only (fcntl.h).

export const LEASE_SYMBOLS = {
  // int fcntl(int fd, int cmd, ...);
  fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
  // int *__errno_location(void);
  __errno_location: { parameters: [], result: "pointer" },
} as const satisfies Deno.ForeignLibraryInterface;

/**
 * Sets the signal sent when another program wants to break a lease; the default, `SIGIO`, would end
 * the process.
 */
export const F_SETSIG = 10;
/** `SIGURG`, which is ignored unless the process handles it. */
export const HARMLESS_SIGNAL = 23;
export const F_SETLEASE = 1024;
/** A read lease is refused while any program has the file open for writing. */
export const F_RDLCK = 0;
export const F_UNLCK = 2;

// Exclusive renames and exchanges, from the C library of Linux: declarations only.

export const RENAME_SYMBOLS = {
  // int renameat2(int olddirfd, const char *oldpath, int newdirfd, const char *newpath, unsigned int flags);
  renameat2: {
    parameters: ["i32", "buffer", "i32", "buffer", "u32"],
    result: "i32",
    nonblocking: true,
  },
} as const satisfies Deno.ForeignLibraryInterface;

/** `flags`: fails with `EEXIST` when the new path exists. */
export const RENAME_NOREPLACE = 1;

/** `flags`: exchanges the two paths atomically. */
export const RENAME_EXCHANGE = 2;

// Extended attributes of open files, from the C library of Linux: declarations only.

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
