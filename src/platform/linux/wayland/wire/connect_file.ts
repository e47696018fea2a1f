/** Opens local stream sockets, as bare descriptors. */

import {
  AF_UNIX,
  readErrno,
  SOCKADDR_UN,
  STREAM_TYPE,
} from "../../../../../ffi/linux/message_sockets.ts";
import { messageSocketLibrary } from "./library.ts";
import { connectError, SocketError } from "./socket_error.ts";

/**
 * Connects to a local socket.
 * @param address a path, or the name of an abstract socket with "@" before it
 * @returns a descriptor that does not block; the caller closes it
 * @throws SocketError
 */
export function connectFile(address: string, libc = messageSocketLibrary()): number {
  const bytes = encodeAddress(address);
  const file = libc.socket(AF_UNIX, STREAM_TYPE, 0);
  if (file < 0) throw connectError(address, readErrno(libc));
  if (libc.connect(file, bytes, bytes.length) === 0) return file;
  const errno = readErrno(libc);
  libc.close(file);
  throw connectError(address, errno);
}

/** `struct sockaddr_un`, as long as its address needs: the length counts for abstract sockets. */
function encodeAddress(address: string): Uint8Array<ArrayBuffer> {
  const path = new TextEncoder().encode(address);
  if (path.length >= SOCKADDR_UN.pathBytes || path.includes(0) || path.length === 0) {
    throw new SocketError("absent", `"${address}" is no address of a local socket`);
  }
  const isAbstract = address.startsWith("@");
  const bytes = new Uint8Array(SOCKADDR_UN.path + path.length + (isAbstract ? 0 : 1));
  bytes[0] = AF_UNIX;
  bytes.set(path, SOCKADDR_UN.path);
  if (isAbstract) bytes[SOCKADDR_UN.path] = 0;
  return bytes;
}
