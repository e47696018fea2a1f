/** Extended attributes (access lists, labels, user attributes), which a file that replaces another one takes over. */

import type { Platform } from "./types/mod.ts";

/**
 * Gives one open file the attributes of another, and takes away those that the other has not, as far as the system lets
 * this user. By descriptors, for a path may lead elsewhere at any moment. Set the mode afterwards.
 * @throws Deno.errors.PermissionDenied when the access list, which says who may do what, cannot be made the same.
 */
export type CopyAttributes = (from: number, to: number) => void;

/** Systems without an entry keep none: the Windows and macOS calls are not made yet. */
export async function openExtendedAttributes(system: Platform["system"]): Promise<CopyAttributes> {
  if (system !== "linux") return () => {};
  const { openXattrs } = await import("./linux/files/attributes.ts");
  return openXattrs();
}
