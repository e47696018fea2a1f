/** Whether an entry can be removed, as far as the system tells before it is tried. */

export interface Removability {
  /** Whether a mark forbids it (immutable, append only). */
  isMarked(path: string): Promise<boolean>;
  /** Whether this user may remove what is in a folder. */
  mayChange(folder: string): Promise<boolean>;
}

let opened: Promise<Removability> | undefined;

/** The same one for every call; where the system does not tell, everything counts as removable. */
export function openRemovability(): Promise<Removability> {
  return opened ??= import("./linux/files/removability.ts").then((linux) =>
    linux.openLinuxRemovability()
  );
}
