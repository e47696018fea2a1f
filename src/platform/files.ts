/** Opens only the file system port, for threads that need no other port. */

import { MSG_PEEK, openReceiveLibrary } from "../../ffi/linux/sockets.ts";
import type { FileSystem, System } from "./types/mod.ts";

/** The imports are literal, so that a compiled program contains them. */
export async function openFileSystem(system: System): Promise<FileSystem> {
  switch (system) {
    case "linux":
      return (await import("./linux/files/file_system.ts")).openLinuxFileSystem();
    case "macos":
      return (await import("./macos/files/mod.ts")).openMacosFileSystem();
    case "windows":
      return (await import("./windows/files/file_system.ts")).openWindowsFileSystem();
  }
}

// Looks at the bytes that a connection has received, and leaves them there.

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

// How many files, pipes and connections this process may have open.

/** The default soft limit on macOS. */
const MACOS_DEFAULT = 256;

/** The soft limit of descriptors; `Infinity` where there is none (Windows) or it cannot be read. */
export function descriptorLimit(os: string): number {
  if (os === "darwin") return MACOS_DEFAULT;
  if (os !== "linux") return Infinity;
  try {
    const limits = Deno.readTextFileSync("/proc/self/limits");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}
