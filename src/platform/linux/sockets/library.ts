/** The C library of this thread, opened at its first use. */

import {
  type MessageSocketLibrary,
  openMessageSocketLibrary,
} from "../../../../ffi/linux/sockets.ts";

let opened: MessageSocketLibrary | undefined;

/** @throws Error when there is no glibc. */
export function messageSocketLibrary(): MessageSocketLibrary {
  return opened ??= openMessageSocketLibrary();
}

/** Closes a descriptor that was received or made. */
export function closeFile(file: number): void {
  messageSocketLibrary().close(file);
}
