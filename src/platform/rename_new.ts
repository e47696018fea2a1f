/** Renaming that never replaces anything, in one step of the system. */

import type { Platform } from "./types.ts";

/** Whether it is done; where it is not, nothing has changed, and another way tells why or succeeds. Never throws. */
export type RenameNew = (from: string, to: string) => Promise<boolean>;

let opened: Promise<RenameNew> | undefined;

/** The same one for every call, because a library that is opened stays open. */
export function openRenameNew(system: Platform["system"]): Promise<RenameNew> {
  if (system !== "linux") return Promise.resolve(() => Promise.resolve(false));
  opened ??= import("./linux/rename_new.ts").then(({ openLinuxRenameNew }) => openLinuxRenameNew());
  return opened;
}
