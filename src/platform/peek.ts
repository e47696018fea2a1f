/** Looks at the bytes that a connection has received, and leaves them there. */

import { MSG_PEEK, openReceiveLibrary } from "../../ffi/linux/sockets.ts";

/** Fills `bytes` from a non-blocking socket; returns how many there are, at most -1 if none. */
export type Peek = (file: number, bytes: Uint8Array<ArrayBuffer>) => number;

const LIBRARIES: Readonly<Record<string, string>> = {
  linux: "libc.so.6",
  darwin: "libSystem.B.dylib",
};

/** `undefined` on systems where Deno gives connections no descriptor, or without the library. */
export function openPeek(os: string): Peek | undefined {
  const file = LIBRARIES[os];
  if (file === undefined) return undefined;
  try {
    const { recv } = openReceiveLibrary(file).symbols;
    return (socket, bytes) => Number(recv(socket, bytes, BigInt(bytes.length), MSG_PEEK));
  } catch {
    return undefined;
  }
}
