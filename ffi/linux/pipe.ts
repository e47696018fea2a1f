/** Non-blocking writes to pipes, from the C library of Linux: declarations only. */

const SYMBOLS = {
  // int open(const char *pathname, int flags, ...);
  open: { parameters: ["buffer", "i32"], result: "i32" },
  // ssize_t write(int fd, const void *buf, size_t count);
  write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  // int poll(struct pollfd *fds, nfds_t nfds, int timeout);
  poll: { parameters: ["buffer", "usize", "i32"], result: "i32" },
  // int close(int fd);
  close: { parameters: ["i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type PipeLibrary = Deno.DynamicLibrary<typeof SYMBOLS>;

/** `O_WRONLY | O_CLOEXEC | O_NONBLOCK`, the same on x86-64 and ARM. */
export const WRITE_FLAGS = 0o2004001;

/** `struct pollfd`: `int fd; short events; short revents;` */
export const POLLFD = { bytes: 8, fd: 0, events: 4, revents: 6 } as const;
/** The pipe has no reader any more. */
export const POLLERR = 8;

/** @throws when there is no such library. */
export function openPipeLibrary(file = "libc.so.6"): PipeLibrary {
  return Deno.dlopen(file, SYMBOLS);
}
