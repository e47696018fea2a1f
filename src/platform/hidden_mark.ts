/** Files that are hidden by a mark of their own, besides those whose name begins with a dot. */

import type { Platform } from "./types/mod.ts";

/** `false`, too, for what is not there. */
export type IsMarkedHidden = (path: string) => Promise<boolean>;

let opened: Promise<IsMarkedHidden> | undefined;

/** The same one for every call, because a library that is opened stays open. */
export function openHiddenMark(system: Platform["system"]): Promise<IsMarkedHidden> {
  if (system !== "windows") return Promise.resolve(() => Promise.resolve(false));
  opened ??= import("./windows/files/hidden_mark.ts")
    .then(({ openWindowsHiddenMark }) => openWindowsHiddenMark());
  return opened;
}
