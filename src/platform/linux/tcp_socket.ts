/** Asks the kernel for the socket of a TCP connection by its two ends (sock_diag(7)). */

import {
  type LocalSocketLibrary,
  MSG_DONTWAIT,
  openLocalSocketLibrary,
} from "../../../ffi/linux/local_sockets.ts";
import {
  AF_NETLINK,
  INET_DIAG_MSG,
  INET_DIAG_REQ,
  NETLINK_SOCK_DIAG,
  NETLINK_TYPE,
  NLM_F_REQUEST,
  NLMSGHDR,
  SOCK_DIAG_BY_FAMILY,
} from "../../../ffi/linux/socket_diagnosis.ts";
import { AF_INET, AF_INET6 } from "../../../ffi/linux/sockets.ts";
import { addressBytes, type TcpEnd } from "../tcp_ends.ts";

const ANSWER_BYTES = 4096;

let libc: LocalSocketLibrary | undefined;

/**
 * The inode of the socket that is connected from one end to the other, in some microseconds, however
 * many sockets there are. `undefined` where there is none, or the kernel does not tell.
 */
export function findTcpSocket(from: TcpEnd, to: TcpEnd): number | undefined {
  return ask(from, to)?.inode;
}

/** The socket that takes new connections to this end, and the user whose it is. */
export function findTcpListener(at: TcpEnd): TcpSocket | undefined {
  return ask(at, { hostname: addressBytes(at.hostname).length === 4 ? "0.0.0.0" : "::", port: 0 });
}

export interface TcpSocket {
  readonly inode: number;
  readonly uid: number;
}

function ask(from: TcpEnd, to: TcpEnd): TcpSocket | undefined {
  libc ??= openLocalSocketLibrary();
  const file = libc.socket(AF_NETLINK, NETLINK_TYPE, NETLINK_SOCK_DIAG);
  if (file < 0) return undefined;
  try {
    const request = makeRequest(from, to);
    libc.send(file, request, BigInt(request.length), 0);
    const answer = new Uint8Array(ANSWER_BYTES);
    const count = Number(libc.recv(file, answer, BigInt(ANSWER_BYTES), MSG_DONTWAIT));
    return readSocket(new DataView(answer.buffer, 0, Math.max(0, count)), to);
  } finally {
    libc.close(file);
  }
}

function makeRequest(from: TcpEnd, to: TcpEnd): Uint8Array<ArrayBuffer> {
  const request = new Uint8Array(NLMSGHDR.bytes + INET_DIAG_REQ.bytes);
  const view = new DataView(request.buffer);
  view.setUint32(NLMSGHDR.length, request.length, true);
  view.setUint16(NLMSGHDR.type, SOCK_DIAG_BY_FAMILY, true);
  view.setUint16(NLMSGHDR.flags, NLM_F_REQUEST, true);
  const [source, target] = [addressBytes(from.hostname), addressBytes(to.hostname)];
  const at = (field: number) => NLMSGHDR.bytes + field;
  view.setUint8(at(INET_DIAG_REQ.family), source.length === 4 ? AF_INET : AF_INET6);
  view.setUint8(at(INET_DIAG_REQ.protocol), INET_DIAG_REQ.tcp);
  view.setUint32(at(INET_DIAG_REQ.states), ~0 >>> 0, true);
  view.setUint16(at(INET_DIAG_REQ.sourcePort), from.port, false);
  view.setUint16(at(INET_DIAG_REQ.targetPort), to.port, false);
  request.set(source, at(INET_DIAG_REQ.source));
  request.set(target, at(INET_DIAG_REQ.target));
  request.fill(0xff, at(INET_DIAG_REQ.cookie)); // any
  return request;
}

/** A listener answers in place of a connection that is not there; it has no other end. */
function readSocket(answer: DataView, { port }: TcpEnd): TcpSocket | undefined {
  if (answer.byteLength < NLMSGHDR.bytes + INET_DIAG_MSG.bytes) return undefined;
  if (answer.getUint16(NLMSGHDR.type, true) !== SOCK_DIAG_BY_FAMILY) return undefined;
  const at = (field: number) => NLMSGHDR.bytes + field;
  if (answer.getUint16(at(INET_DIAG_MSG.targetPort), false) !== port) return undefined;
  const inode = answer.getUint32(at(INET_DIAG_MSG.inode), true);
  if (inode === 0) return undefined;
  return { inode, uid: answer.getUint32(at(INET_DIAG_MSG.uid), true) };
}
