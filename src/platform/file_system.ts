/** Opens only the file system port, for threads that need no other port. */

import type { FileSystem, System } from "./types/mod.ts";

/** The imports are literal, so that a compiled program contains them. */
export async function openFileSystem(system: System): Promise<FileSystem> {
  switch (system) {
    case "linux":
      return (await import("./linux/files/mod.ts")).openLinuxFileSystem();
    case "macos":
      return (await import("./macos/files/mod.ts")).openMacosFileSystem();
    case "windows":
      return (await import("./windows/files/mod.ts")).openWindowsFileSystem();
  }
}
