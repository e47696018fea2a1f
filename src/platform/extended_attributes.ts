/** Extended attributes (access lists, labels, user attributes), which a file that replaces another one takes over. */

import type { Platform } from "./types.ts";

/** Copies the attributes of one file to another, as far as the system lets this user; never throws. */
export type CopyAttributes = (from: string, to: string) => void;

/** Systems without an entry keep none: the Windows and macOS calls are not made yet. */
export async function openExtendedAttributes(system: Platform["system"]): Promise<CopyAttributes> {
  if (system !== "linux") return () => {};
  const { openXattrs } = await import("./linux/xattrs.ts");
  return openXattrs();
}
