/** The C library of this thread, opened at its first use. */

import { openLibc } from "../../../../ffi/linux/libc.ts";
import { keepAlive } from "../../../../ffi/memory.ts";
import {
  ERRNO,
  MESSAGE_SOCKETS_SYMBOLS,
  type MessageSocketLibrary,
  POLLFD,
  readErrno,
} from "../../../../ffi/linux/sockets.ts";

let opened: MessageSocketLibrary | undefined;

/** @throws Error when there is no glibc. */
export function messageSocketLibrary(): MessageSocketLibrary {
  return opened ??= openLibc(MESSAGE_SOCKETS_SYMBOLS).symbols;
}

/** Closes a descriptor that was received or made. */
export function closeFile(file: number): void {
  messageSocketLibrary().close(file);
}

/** Waits in another thread; `false` when the time is up: what has failed, the next call reports. */
export async function pollFile(
  libc: MessageSocketLibrary,
  { file, events }: { readonly file: number; readonly events: number },
  timeoutMs: number,
): Promise<boolean> {
  const poll = new Uint8Array(POLLFD.bytes);
  const view = new DataView(poll.buffer);
  view.setInt32(POLLFD.fd, file, true);
  view.setInt16(POLLFD.events, events, true);
  const ready = await libc.poll(poll, 1n, timeoutMs);
  keepAlive(poll);
  return ready !== 0;
}

/** Whether the last call failed only for now. */
export function mayGoOn(libc: MessageSocketLibrary): boolean {
  const errno = readErrno(libc);
  return errno === ERRNO.EAGAIN || errno === ERRNO.EINTR;
}
