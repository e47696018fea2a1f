/** Why a local socket cannot be used. */

import { ERRNO } from "../../../../../ffi/linux/message_sockets.ts";

/**
 * `absent`: no program listens there; `refused`: the system does not allow it; `lost`: the
 * connection has ended or was damaged; `closed`: this side has closed it.
 */
export type SocketFailure = "absent" | "refused" | "lost" | "closed";

export class SocketError extends Error {
  constructor(readonly failure: SocketFailure, message: string) {
    super(message);
    this.name = "SocketError";
  }
}

/** @param path as the message names it */
export function connectError(path: string, errno: number): SocketError {
  switch (errno) {
    case ERRNO.ENOENT:
    case ERRNO.ECONNREFUSED:
      return new SocketError("absent", `no program listens at "${path}"`);
    case ERRNO.EACCES:
      return new SocketError("refused", `this user may not connect to "${path}"`);
    case ERRNO.EAGAIN:
      return new SocketError("refused", `the program at "${path}" accepts no more connections`);
    default:
      return new SocketError("refused", `cannot connect to "${path}" (error ${errno})`);
  }
}
