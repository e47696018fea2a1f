/**
 * The kernel's list of sockets, over a netlink socket: layouts and numbers only (linux/netlink.h,
 * linux/sock_diag.h, linux/unix_diag.h, linux/inet_diag.h). The calls are those of local_sockets.ts.
 */

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
  ...{ bytes: 56, family: 0, protocol: 1, states: 4, sourcePort: 8, targetPort: 10 },
  ...{ source: 12, target: 28, cookie: 48 },
  /** `IPPROTO_TCP` */
  tcp: 6,
} as const;
/**
 * `struct inet_diag_msg { __u8 family, state, timer, retrans; struct inet_diag_sockid id; __u32 expires,
 * rqueue, wqueue, uid, inode; }`
 */
export const INET_DIAG_MSG = { bytes: 72, targetPort: 6, uid: 64, inode: 68 } as const;
