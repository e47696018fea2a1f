/**
 * The ends, the state and the first bytes of a connection, from the C library of Linux:
 * declarations only (sys/socket.h, poll.h, fcntl.h).
 */

const SYMBOLS = {
  // int getpeername(int sockfd, struct sockaddr *addr, socklen_t *addrlen);
  getpeername: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
  // int getsockname(int sockfd, struct sockaddr *addr, socklen_t *addrlen);
  getsockname: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
  // int poll(struct pollfd *fds, nfds_t nfds, int timeout);
  poll: { parameters: ["buffer", "usize", "i32"], result: "i32" },
  // int fcntl(int fd, int cmd, ...);
  fcntl: { parameters: ["i32", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

// ssize_t recv(int sockfd, void *buf, size_t len, int flags); the same on macOS
const RECEIVE = {
  recv: { parameters: ["i32", "buffer", "usize", "i32"], result: "isize" },
} as const satisfies Deno.ForeignLibraryInterface;

/** The bytes stay where they are; the same on macOS. */
export const MSG_PEEK = 2;

export type SocketLibrary = Deno.DynamicLibrary<typeof SYMBOLS>;

/**
 * `struct sockaddr_storage`; `sockaddr_in` and `sockaddr_in6` have the port at the same offset,
 * big-endian.
 */
export const SOCKADDR = { bytes: 128, family: 0, port: 2 } as const;
/** Offset and length of the address in `sockaddr_in` and `sockaddr_in6`. */
export const IN_ADDR = { offset: 4, bytes: 4 } as const;
export const IN6_ADDR = { offset: 8, bytes: 16 } as const;
export const AF_INET = 2;
export const AF_INET6 = 10;

/** `struct pollfd`: `int fd; short events; short revents;` */
export const POLLFD = { bytes: 8, fd: 0, events: 4, revents: 6 } as const;
/** The other side has closed the connection, or at least its sending half. */
export const POLLRDHUP = 0x2000;
/** `POLLERR | POLLHUP | POLLNVAL`, which `poll` reports without being asked. */
export const POLL_BROKEN = 0x08 | 0x10 | 0x20;

/** Fails when the number is not an open descriptor. */
export const F_GETFD = 1;

/** @throws when there is no such library. */
export function openSocketLibrary(file = "libc.so.6"): SocketLibrary {
  return Deno.dlopen(file, SYMBOLS);
}

/** @throws when there is no such library. */
export function openReceiveLibrary(file: string): Deno.DynamicLibrary<typeof RECEIVE> {
  return Deno.dlopen(file, RECEIVE);
}
