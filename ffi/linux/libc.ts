/** Functions of the C library of Linux: opened, and declared for memory, clocks and processes. */

/** @throws when there is no glibc, or it lacks one of them. */
export function openLibc<const S extends Deno.ForeignLibraryInterface>(
  symbols: S,
): Deno.DynamicLibrary<S> {
  return Deno.dlopen("libc.so.6", symbols);
}

// System V shared memory: declarations only (sys/shm.h).

/** `IPC_PRIVATE`: a segment that no other process can find by a key. */
export const IPC_PRIVATE = 0;
export const IPC_CREAT = 0o1000;
/** `IPC_RMID`: the segment is removed with its last mapping. */
export const IPC_RMID = 0;

export const SHARED_MEMORY_SYMBOLS = {
  /** `int shmget(key_t key, size_t size, int shmflg)` */
  shmget: { parameters: ["i32", "usize", "i32"], result: "i32" },
  /** `void *shmat(int shmid, const void *shmaddr, int shmflg)`; `(void *) -1` is a failure */
  shmat: { parameters: ["i32", "pointer", "i32"], result: "pointer" },
  /** `int shmdt(const void *shmaddr)` */
  shmdt: { parameters: ["pointer"], result: "i32" },
  /** `int shmctl(int shmid, int op, struct shmid_ds *buf)` */
  shmctl: { parameters: ["i32", "i32", "pointer"], result: "i32" },
} as const;

export type SharedMemoryLibrary = Deno.DynamicLibrary<typeof SHARED_MEMORY_SYMBOLS>["symbols"];

// The clock of input events, from the C library of Linux: declarations only (time.h).

export const CLOCK_SYMBOLS = {
  // int clock_gettime(clockid_t clockid, struct timespec *tp);
  clock_gettime: { parameters: ["i32", "buffer"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/** `CLOCK_MONOTONIC`: milliseconds of it are the time stamps of input events. */
export const CLOCK_MONOTONIC = 1;
/** `struct timespec { time_t tv_sec; long tv_nsec; }`, on 64-bit systems */
export const TIMESPEC = { bytes: 16, seconds: 0, nanoseconds: 8 } as const;

// Descriptors of other processes, from the C library of Linux: declarations only (unistd.h).

export const PIDFD_SYMBOLS = {
  // long syscall(long number, ...);
  syscall: { parameters: ["isize", "isize", "isize", "isize"], result: "isize" },
  // int close(int fd);
  close: { parameters: ["i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type PidfdLibrary = Deno.DynamicLibrary<typeof PIDFD_SYMBOLS>;

/** `int pidfd_open(pid_t pid, unsigned int flags);` the same number on all systems (Linux 5.3). */
export const SYS_PIDFD_OPEN = 434n;
/** `int pidfd_getfd(int pidfd, int targetfd, unsigned int flags);` (Linux 5.6) */
export const SYS_PIDFD_GETFD = 438n;

// Settings of the calling process, from the C library of Linux: declarations only (sys/prctl.h).

export const PRCTL_SYMBOLS = {
  // int prctl(int option, unsigned long arg2, unsigned long arg3, unsigned long arg4, unsigned long arg5);
  prctl: { parameters: ["i32", "usize", "usize", "usize", "usize"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/** Orphaned descendants become children of this process instead of process 1. */
export const PR_SET_CHILD_SUBREAPER = 36;
export const PR_GET_DUMPABLE = 3;
export const PR_SET_DUMPABLE = 4;
/** No core dump is written, and no other process of the user can read the memory. */
export const SUID_DUMP_DISABLE = 0n;

// Ends the calling process by the kernel: declarations only (unistd.h).

export const ALARM_SYMBOLS = {
  // unsigned int alarm(unsigned int seconds);
  alarm: { parameters: ["u32"], result: "u32" },
} as const satisfies Deno.ForeignLibraryInterface;

// Reaps ended child processes, from the C library of Linux: declarations only (sys/wait.h).

export const WAIT_SYMBOLS = {
  // pid_t waitpid(pid_t pid, int *wstatus, int options);
  waitpid: { parameters: ["i32", "pointer", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/** Returns immediately when the process has not ended. */
export const WNOHANG = 1;

// Non-blocking writes to pipes, from the C library of Linux: declarations only.

export const PIPE_SYMBOLS = {
  // int open(const char *pathname, int flags, ...);
  open: { parameters: ["buffer", "i32"], result: "i32" },
  // ssize_t write(int fd, const void *buf, size_t count);
  write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  // int poll(struct pollfd *fds, nfds_t nfds, int timeout);
  poll: { parameters: ["buffer", "usize", "i32"], result: "i32" },
  // int close(int fd);
  close: { parameters: ["i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type PipeLibrary = Deno.DynamicLibrary<typeof PIPE_SYMBOLS>;

/** `O_WRONLY | O_CLOEXEC | O_NONBLOCK`, the same on x86-64 and ARM. */
export const WRITE_FLAGS = 0o2004001;

/** The pipe has no reader any more. */
export const POLLERR = 8;
