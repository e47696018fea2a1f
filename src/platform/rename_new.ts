/** Renaming that never replaces anything, in one step of the system, and exchanging. */

import type { Platform } from "./types/mod.ts";

/** Whether it is done; where it is not, nothing has changed, and another way tells why or succeeds. Never throws. */
export type RenameNew = (from: string, to: string) => Promise<boolean>;

let opened: Promise<RenameNew> | undefined;

/** The same one for every call, because a library that is opened stays open. */
export function openRenameNew(system: Platform["system"]): Promise<RenameNew> {
  return opened ??= open(system);
}

async function open(system: Platform["system"]): Promise<RenameNew> {
  switch (system) {
    case "linux":
      return (await import("./linux/files/rename.ts")).openLinuxRenameNew();
    case "windows":
      return (await import("./windows/files/rename.ts")).openWindowsRenameNew();
    default:
      return () => Promise.resolve(false);
  }
}

let exchange: Promise<RenameNew> | undefined;

/** Exchanges what is at two paths; the same one for every call, and one that never does it where the system cannot. */
export function openExchange(): Promise<RenameNew> {
  return exchange ??= import("./linux/files/rename.ts").then((linux) => linux.openLinuxExchange());
}
