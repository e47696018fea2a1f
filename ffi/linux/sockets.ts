/** What a connection is up to, from the C library of Linux: declarations only (sys/socket.h, poll.h, fcntl.h). */

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

export type SocketLibrary = Deno.DynamicLibrary<typeof SYMBOLS>;

/** `struct sockaddr_storage`; the port of `sockaddr_in` and `sockaddr_in6` stands at the same place, big end first. */
export const SOCKADDR = { bytes: 128, family: 0, port: 2 } as const;
/** Where the address stands in `sockaddr_in` and `sockaddr_in6`, and how many bytes it has. */
export const IN_ADDR = { offset: 4, bytes: 4 } as const;
export const IN6_ADDR = { offset: 8, bytes: 16 } as const;
export const AF_INET = 2;
export const AF_INET6 = 10;

/** `struct pollfd`: `int fd; short events; short revents;` */
export const POLLFD = { bytes: 8, fd: 0, events: 4, revents: 6 } as const;
/** The other side has closed the connection, or at least its half. */
export const POLLRDHUP = 0x2000;
/** `POLLERR | POLLHUP | POLLNVAL`, which are told without being asked for. */
export const POLL_BROKEN = 0x08 | 0x10 | 0x20;

/** Fails for a number that is no open file. */
export const F_GETFD = 1;

/** @throws when there is no such library. */
export function openSocketLibrary(file = "libc.so.6"): SocketLibrary {
  return Deno.dlopen(file, SYMBOLS);
}
