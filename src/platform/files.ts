/** Opens only the file system port, for threads that need no other port. */

import { MSG_PEEK, openSocketLibrary, SHUT_RDWR } from "../../ffi/linux/sockets.ts";
import { tryTo } from "../core/errors.ts";
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

// What Deno cannot do with a connection that it has given a descriptor.

export interface SocketCalls {
  /** Fills `bytes` with what has been received, and leaves it there; -1 if there is nothing. */
  peek(file: number, bytes: Uint8Array<ArrayBuffer>): number;
  /** Ends it in both directions; what waits to be read or written fails. */
  shutdown(file: number): void;
}

const LIBRARIES: Readonly<Record<string, string>> = {
  linux: "libc.so.6",
  darwin: "libSystem.B.dylib",
};

/** `undefined` on systems where Deno gives connections no descriptor, or without the library. */
export function openSocketCalls(os: string): SocketCalls | undefined {
  const file = LIBRARIES[os];
  if (file === undefined) return undefined;
  try {
    const { recv, shutdown } = openSocketLibrary(file).symbols;
    return {
      peek: (socket, bytes) => Number(recv(socket, bytes, BigInt(bytes.length), MSG_PEEK)),
      shutdown: (socket) => void shutdown(socket, SHUT_RDWR),
    };
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
  const limits = tryTo(() => Deno.readTextFileSync("/proc/self/limits")) ?? "";
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
}
