/**
 * Non-blocking local sockets, from the C library of Linux: declarations only (sys/socket.h,
 * sys/un.h, poll.h, fcntl.h).
 */

const SYMBOLS = {
  // int socket(int domain, int type, int protocol);
  socket: { parameters: ["i32", "i32", "i32"], result: "i32" },
  // int connect(int sockfd, const struct sockaddr *addr, socklen_t addrlen);
  connect: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  // int getsockopt(int sockfd, int level, int optname, void *optval, socklen_t *optlen);
  getsockopt: { parameters: ["i32", "i32", "i32", "buffer", "buffer"], result: "i32" },
  // ssize_t send(int sockfd, const void *buf, size_t len, int flags);
  send: { parameters: ["i32", "buffer", "usize", "i32"], result: "isize" },
  // ssize_t recv(int sockfd, void *buf, size_t len, int flags);
  recv: { parameters: ["i32", "buffer", "usize", "i32"], result: "isize" },
  // int poll(struct pollfd *fds, nfds_t nfds, int timeout);
  poll: { parameters: ["buffer", "usize", "i32"], result: "i32" },
  // int open(const char *pathname, int flags, ...);
  open: { parameters: ["buffer", "i32"], result: "i32" },
  // ssize_t pread(int fd, void *buf, size_t count, off_t offset);
  pread: { parameters: ["i32", "buffer", "usize", "isize"], result: "isize" },
  // int close(int fd);
  close: { parameters: ["i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type LocalSocketLibrary = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

export const AF_UNIX = 1;
/**
 * `SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC`: `connect` does not block on a server that does not
 * accept.
 */
export const STREAM_TYPE = 0o1 | 0o4000 | 0o2000000;
/** `struct sockaddr_un`: `sa_family_t sun_family; char sun_path[108];` */
export const SOCKADDR_UN = { path: 2, pathBytes: 108 } as const;
export const SOL_SOCKET = 1;
/** `struct ucred { pid_t pid; uid_t uid; gid_t gid; }` of the listening process. */
export const SO_PEERCRED = 17;
/** `MSG_DONTWAIT | MSG_NOSIGNAL` */
export const SEND_FLAGS = 0x40 | 0x4000;
export const MSG_DONTWAIT = 0x40;
/** `struct pollfd`: `int fd; short events; short revents;` */
export const POLLFD = { bytes: 8, fd: 0, events: 4 } as const;
export const POLLIN = 0x01;
/** `O_RDONLY | O_CLOEXEC` */
export const READ_ONLY = 0o2000000;

/** @throws when there is no such library. */
export function openLocalSocketLibrary(file = "libc.so.6"): LocalSocketLibrary {
  return Deno.dlopen(file, SYMBOLS).symbols;
}
