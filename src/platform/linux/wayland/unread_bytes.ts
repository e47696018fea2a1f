/**
 * How much of what a compositor and its programs have sent each other has not been read yet: the kernel
 * knows it. A compositor ends a program whose connection is full, and programs end by themselves when
 * the compositor does not read: GTK 3 sends it the full text of a field for each character.
 */

import { openLibc } from "../../../../ffi/linux/libc.ts";
import {
  AF_NETLINK,
  AF_UNIX,
  DUMP_FLAGS,
  ESTABLISHED,
  MSG_DONTWAIT,
  NETLINK_SOCK_DIAG,
  NETLINK_SYMBOLS,
  NETLINK_TYPE,
  type NetlinkLibrary,
  NLMSG_DONE,
  NLMSG_ERROR,
  NLMSGHDR,
  RQLEN,
  RTATTR,
  SHOW_NAME_AND_QUEUES,
  SOCK_DIAG_BY_FAMILY,
  UNIX_DIAG_MSG,
  UNIX_DIAG_NAME,
  UNIX_DIAG_REQ,
  UNIX_DIAG_RQLEN,
} from "../../../../ffi/linux/sockets.ts";
import { roundUp } from "../../../core/bytes.ts";

const ANSWER_BYTES = 64 * 1024;
/** Messages and their attributes begin at multiples of this. */
const ALIGNMENT = 4;

/** Inode of a compositor's socket to a program -> bytes that one of both has not read yet. */
export type UnreadBytes = ReadonlyMap<number, number>;

export class UnreadBytesReader {
  readonly #libc: NetlinkLibrary = openLibc(NETLINK_SYMBOLS).symbols;
  readonly #answer = new Uint8Array(ANSWER_BYTES);
  readonly #name: string;

  /** @param socket of the compositor: its path, or its name, such as `wayland-1` */
  constructor(private readonly socket: string) {
    this.#name = `/${socket.split("/").at(-1)}`;
  }

  /**
   * Asks the kernel, in less than a millisecond. Where none has the path, which is another one in a container, all of that
   * name count: those of another user's session may be among them. Empty where it does not report it, and where the
   * compositor is in another network namespace.
   */
  read(): UnreadBytes {
    const file = this.#libc.socket(AF_NETLINK, NETLINK_TYPE, NETLINK_SOCK_DIAG);
    if (file < 0) return new Map();
    try {
      const request = dumpRequest();
      this.#libc.send(file, request, BigInt(request.length), 0);
      return this.#receiveAll(file);
    } finally {
      this.#libc.close(file);
    }
  }

  #receiveAll(file: number): UnreadBytes {
    const [unread, exact] = [new Map<number, number>(), new Map<number, number>()];
    while (true) {
      const room = BigInt(ANSWER_BYTES);
      const count = Number(this.#libc.recv(file, this.#answer, room, MSG_DONTWAIT));
      const messages = this.#answer.subarray(0, Math.max(0, count));
      if (count > 0 && !this.#readMessages(messages, { unread, exact })) continue;
      return exact.size > 0 ? exact : unread;
    }
  }

  /** Returns whether these were the last messages. */
  #readMessages(bytes: Uint8Array, found: Found): boolean {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at + NLMSGHDR.bytes <= bytes.length;) {
      const length = view.getUint32(at + NLMSGHDR.length, true);
      const type = view.getUint16(at + NLMSGHDR.type, true);
      if (type === NLMSG_DONE || type === NLMSG_ERROR || length < NLMSGHDR.bytes) return true;
      this.#readSocket(bytes.subarray(at + NLMSGHDR.bytes, at + length), found);
      at += roundUp(length, ALIGNMENT);
    }
    return false;
  }

  #readSocket(message: Uint8Array, { unread, exact }: Found): void {
    const view = new DataView(message.buffer, message.byteOffset, message.length);
    let name = "";
    let waiting = 0;
    for (let at: number = UNIX_DIAG_MSG.bytes; at + RTATTR.bytes <= message.length;) {
      const length = view.getUint16(at + RTATTR.length, true);
      if (length < RTATTR.bytes) break;
      const type = view.getUint16(at + RTATTR.type, true);
      const start = at + RTATTR.bytes;
      if (type === UNIX_DIAG_NAME) {
        name = new TextDecoder().decode(message.subarray(start, at + length)).replace(/\0+$/, "");
      }
      if (type === UNIX_DIAG_RQLEN && length >= RTATTR.bytes + RQLEN.bytes) {
        const [received, written] = [RQLEN.received, RQLEN.written]
          .map((field) => view.getUint32(start + field, true));
        waiting = Math.max(received!, written!);
      }
      at += roundUp(length, ALIGNMENT);
    }
    if (!name.endsWith(this.#name)) return;
    const inode = view.getUint32(UNIX_DIAG_MSG.inode, true);
    unread.set(inode, waiting);
    if (name === this.socket) exact.set(inode, waiting);
  }
}

/** Of the sockets of the name, and of the path. */
interface Found {
  readonly unread: Map<number, number>;
  readonly exact: Map<number, number>;
}

function dumpRequest(): Uint8Array<ArrayBuffer> {
  const request = new Uint8Array(NLMSGHDR.bytes + UNIX_DIAG_REQ.bytes);
  const view = new DataView(request.buffer);
  view.setUint32(NLMSGHDR.length, request.length, true);
  view.setUint16(NLMSGHDR.type, SOCK_DIAG_BY_FAMILY, true);
  view.setUint16(NLMSGHDR.flags, DUMP_FLAGS, true);
  view.setUint8(NLMSGHDR.bytes + UNIX_DIAG_REQ.family, AF_UNIX);
  view.setUint32(NLMSGHDR.bytes + UNIX_DIAG_REQ.states, ESTABLISHED, true);
  view.setUint32(NLMSGHDR.bytes + UNIX_DIAG_REQ.show, SHOW_NAME_AND_QUEUES, true);
  return request;
}
