/**
 * The ends, the state and the first bytes of a connection, from the C library of Linux:
 * declarations only (sys/socket.h, poll.h, fcntl.h).
 */

export const SOCKETS_SYMBOLS = {
  // int getpeername(int sockfd, struct sockaddr *addr, socklen_t *addrlen);
  getpeername: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
  // int getsockname(int sockfd, struct sockaddr *addr, socklen_t *addrlen);
  getsockname: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
  // int poll(struct pollfd *fds, nfds_t nfds, int timeout);
  poll: { parameters: ["buffer", "usize", "i32"], result: "i32" },
  // int fcntl(int fd, int cmd, ...);
  fcntl: { parameters: ["i32", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/** The same on macOS. */
const CONNECTION = {
  // ssize_t recv(int sockfd, void *buf, size_t len, int flags);
  recv: { parameters: ["i32", "buffer", "usize", "i32"], result: "isize" },
  // int shutdown(int sockfd, int how);
  shutdown: { parameters: ["i32", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/** The bytes stay where they are; the same on macOS. */
export const MSG_PEEK = 2;
/** `shutdown` of both directions; the same on macOS. */
export const SHUT_RDWR = 2;

export type SocketLibrary = Deno.DynamicLibrary<typeof SOCKETS_SYMBOLS>;

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
export function openSocketLibrary(file: string): Deno.DynamicLibrary<typeof CONNECTION> {
  return Deno.dlopen(file, CONNECTION);
}

// Local sockets that pass descriptors, shared memory files and pipes, from the C library of Linux:
// declarations only (sys/socket.h, sys/un.h, sys/mman.h, poll.h, fcntl.h, unistd.h), for 64-bit
// systems.

export const MESSAGE_SOCKETS_SYMBOLS = {
  // int socket(int domain, int type, int protocol);
  socket: { parameters: ["i32", "i32", "i32"], result: "i32" },
  // int connect(int sockfd, const struct sockaddr *addr, socklen_t addrlen);
  connect: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  // int socketpair(int domain, int type, int protocol, int sv[2]);
  socketpair: { parameters: ["i32", "i32", "i32", "buffer"], result: "i32" },
  // ssize_t sendmsg(int sockfd, const struct msghdr *msg, int flags);
  sendmsg: { parameters: ["i32", "buffer", "i32"], result: "isize" },
  // ssize_t recvmsg(int sockfd, struct msghdr *msg, int flags);
  recvmsg: { parameters: ["i32", "buffer", "i32"], result: "isize" },
  // int shutdown(int sockfd, int how);
  shutdown: { parameters: ["i32", "i32"], result: "i32" },
  // int poll(struct pollfd *fds, nfds_t nfds, int timeout); here in a thread of its own
  poll: { parameters: ["buffer", "usize", "i32"], result: "i32", nonblocking: true },
  // ssize_t read(int fd, void *buf, size_t count);
  read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  // ssize_t pread(int fd, void *buf, size_t count, off_t offset);
  pread: { parameters: ["i32", "buffer", "usize", "i64"], result: "isize" },
  // ssize_t write(int fd, const void *buf, size_t count);
  write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  // int pipe2(int pipefd[2], int flags);
  pipe2: { parameters: ["buffer", "i32"], result: "i32" },
  // int fcntl(int fd, int cmd, ...);
  fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
  // int memfd_create(const char *name, unsigned int flags);
  memfd_create: { parameters: ["buffer", "u32"], result: "i32" },
  // int ftruncate(int fd, off_t length);
  ftruncate: { parameters: ["i32", "i64"], result: "i32" },
  // void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset);
  mmap: { parameters: ["pointer", "usize", "i32", "i32", "i32", "i64"], result: "pointer" },
  // int munmap(void *addr, size_t length);
  munmap: { parameters: ["pointer", "usize"], result: "i32" },
  // int close(int fd);
  close: { parameters: ["i32"], result: "i32" },
  // int *__errno_location(void);
  __errno_location: { parameters: [], result: "pointer" },
} as const satisfies Deno.ForeignLibraryInterface;

export type MessageSocketLibrary = Deno.DynamicLibrary<typeof MESSAGE_SOCKETS_SYMBOLS>["symbols"];

export const AF_UNIX = 1;
/** `SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC` */
export const STREAM_TYPE = 0o1 | 0o4000 | 0o2000000;
/** `struct sockaddr_un`: `sa_family_t sun_family; char sun_path[108];` */
export const SOCKADDR_UN = { path: 2, pathBytes: 108 } as const;
export const SOL_SOCKET = 1;
/** The control message that passes descriptors. */
export const SCM_RIGHTS = 1;
/** The most descriptors that the kernel passes with one message. */
export const SCM_MAX_FD = 253;
export const MSG_NOSIGNAL = 0x4000;
export const MSG_CMSG_CLOEXEC = 0x40000000;
/** In `msg_flags`: control data was discarded, such as descriptors beyond the process's limit. */
export const MSG_CTRUNC = 0x08;
/**
 * `struct msghdr { void *msg_name; socklen_t msg_namelen; struct iovec *msg_iov; size_t msg_iovlen;
 * void *msg_control; size_t msg_controllen; int msg_flags; }`
 */
export const MSGHDR = {
  bytes: 56,
  iov: 16,
  iovlen: 24,
  control: 32,
  controllen: 40,
  flags: 48,
} as const;
/** `struct iovec { void *iov_base; size_t iov_len; }` */
export const IOVEC = { bytes: 16, base: 0, length: 8 } as const;
/** `struct cmsghdr { size_t cmsg_len; int cmsg_level; int cmsg_type; }`, then the data */
export const CMSGHDR = { length: 0, level: 8, type: 12, data: 16, align: 8 } as const;
export const POLLIN = 0x01;
export const POLLOUT = 0x04;
/** `O_CLOEXEC | O_NONBLOCK`, for pipes. */
export const PIPE_FLAGS = 0o2000000 | 0o4000;
/** Sets the flags of an open file, such as {@link O_NONBLOCK}. */
export const F_SETFL = 4;
export const O_NONBLOCK = 0o4000;
/** Changes the capacity of a pipe. */
export const F_SETPIPE_SZ = 1031;
/** Duplicates a descriptor; the duplicate is not passed on to programs that are started. */
export const F_DUPFD_CLOEXEC = 1030;
/** `MFD_CLOEXEC | MFD_ALLOW_SEALING` */
export const MEMFD_FLAGS = 0x1 | 0x2;
export const F_ADD_SEALS = 1033;
/** `F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW`: nobody changes the size any more. */
export const SIZE_SEALS = 0x1 | 0x2 | 0x4;
export const PROT_READ_WRITE = 0x1 | 0x2;
export const MAP_SHARED = 0x01;
/** `MAP_FAILED`, as an unsigned address */
export const MAP_FAILED = 0xffff_ffff_ffff_ffffn;

/** Values of `errno`, the same on x86-64 and ARM. */
export const ERRNO = {
  ENOENT: 2,
  EINTR: 4,
  EAGAIN: 11,
  EACCES: 13,
  ECONNREFUSED: 111,
} as const;

/** The error number of this thread's last call that failed. */
export function readErrno(libc: Pick<MessageSocketLibrary, "__errno_location">): number {
  return new Deno.UnsafePointerView(libc.__errno_location()!).getInt32();
}

// The kernel's list of sockets, over a netlink socket: layouts and numbers only (linux/netlink.h,
// linux/sock_diag.h, linux/unix_diag.h, linux/inet_diag.h).

export const NETLINK_SYMBOLS = {
  // int socket(int domain, int type, int protocol);
  socket: { parameters: ["i32", "i32", "i32"], result: "i32" },
  // ssize_t send(int sockfd, const void *buf, size_t len, int flags);
  send: { parameters: ["i32", "buffer", "usize", "i32"], result: "isize" },
  // ssize_t recv(int sockfd, void *buf, size_t len, int flags);
  recv: { parameters: ["i32", "buffer", "usize", "i32"], result: "isize" },
  // int close(int fd);
  close: { parameters: ["i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type NetlinkLibrary = Deno.DynamicLibrary<typeof NETLINK_SYMBOLS>["symbols"];

export const MSG_DONTWAIT = 0x40;
export const AF_NETLINK = 16;
/** `SOCK_RAW | SOCK_CLOEXEC` */
export const NETLINK_TYPE = 3 | 0o2000000;
export const NETLINK_SOCK_DIAG = 4;

/** `struct nlmsghdr { __u32 len; __u16 type; __u16 flags; __u32 seq; __u32 pid; }` */
export const NLMSGHDR = { bytes: 16, length: 0, type: 4, flags: 6 } as const;
export const NLMSG_ERROR = 2;
export const NLMSG_DONE = 3;
export const NLM_F_REQUEST = 0x1;
/** `NLM_F_REQUEST | NLM_F_DUMP` */
export const DUMP_FLAGS = 0x1 | 0x300;
export const SOCK_DIAG_BY_FAMILY = 20;

/**
 * `struct unix_diag_req { __u8 family; __u8 protocol; __u16 pad; __u32 states; __u32 ino;
 * __u32 show; __u32 cookie[2]; }`
 */
export const UNIX_DIAG_REQ = { bytes: 24, family: 0, states: 4, show: 12 } as const;
/** `1 << TCP_ESTABLISHED` */
export const ESTABLISHED = 1 << 1;
/** `UDIAG_SHOW_NAME | UDIAG_SHOW_RQLEN` */
export const SHOW_NAME_AND_QUEUES = 0x1 | 0x10;

/** `struct unix_diag_msg { __u8 family, type, state, pad; __u32 ino; __u32 cookie[2]; }` */
export const UNIX_DIAG_MSG = { bytes: 16, inode: 4 } as const;
/** `struct rtattr { unsigned short len; unsigned short type; }`, then the data, in steps of 4 */
export const RTATTR = { bytes: 4, length: 0, type: 2 } as const;
export const UNIX_DIAG_NAME = 0;
/** `struct unix_diag_rqlen { __u32 rqueue; __u32 wqueue; }` */
export const UNIX_DIAG_RQLEN = 4;
export const RQLEN = { bytes: 8, received: 0, written: 4 } as const;

/**
 * `struct inet_diag_req_v2 { __u8 family, protocol, ext, pad; __u32 states; struct inet_diag_sockid {
 * __be16 sport, dport; __be32 src[4], dst[4]; __u32 if, cookie[2]; } id; }`
 */
export const INET_DIAG_REQ = {
  bytes: 56,
  family: 0,
  protocol: 1,
  states: 4,
  sourcePort: 8,
  targetPort: 10,
  source: 12,
  target: 28,
  cookie: 48,
  tcp: 6, // `IPPROTO_TCP`
} as const;
/**
 * `struct inet_diag_msg { __u8 family, state, timer, retrans; struct inet_diag_sockid id; __u32 expires,
 * rqueue, wqueue, uid, inode; }`
 */
export const INET_DIAG_MSG = { bytes: 72, targetPort: 6, uid: 64, inode: 68 } as const;
