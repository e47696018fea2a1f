/** Whether an entry can be removed, as far as the system tells before it is tried. */

import type { Platform } from "./types.ts";

export interface Removability {
  /** Whether a mark forbids it (immutable, append only). */
  isMarked(path: string): Promise<boolean>;
  /** Whether this user may remove what is in a folder. */
  mayChange(folder: string): Promise<boolean>;
}

let opened: Promise<Removability> | undefined;

/** The same one for every call. */
export function openRemovability(system: Platform["system"]): Promise<Removability> {
  return opened ??= open(system);
}

async function open(system: Platform["system"]): Promise<Removability> {
  if (system === "linux") return (await import("./linux/removability.ts")).openLinuxRemovability();
  return { isMarked: () => Promise.resolve(false), mayChange: () => Promise.resolve(true) };
}
