/** The C library of this thread, opened at its first use. */

import { openLibc } from "../../../../ffi/linux/libc.ts";
import {
  MESSAGE_SOCKETS_SYMBOLS,
  type MessageSocketLibrary,
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
