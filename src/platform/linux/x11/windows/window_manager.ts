/** What the window manager of a display offers, if there is one that follows EWMH. */

import type { WindowAtoms } from "./atoms.ts";
import type { WindowRequests } from "./requests.ts";

export interface Manager {
  /** Whether it takes a request or keeps a property. */
  supports(hint: keyof WindowAtoms): boolean;
}

/** `undefined`: there is none, or one that tells nothing. One that has ended leaves its properties. */
export async function findManager(
  requests: WindowRequests,
  atoms: WindowAtoms,
): Promise<Manager | undefined> {
  const { root } = requests.connection;
  const asked = Promise.all([
    requests.words(root, atoms._NET_SUPPORTING_WM_CHECK),
    requests.words(root, atoms._NET_SUPPORTED),
  ]);
  requests.flush();
  const [[check = 0], supported] = await asked;
  if (check === 0) return undefined;
  const own = await requests.unlessClosed(requests.words(check, atoms._NET_SUPPORTING_WM_CHECK));
  if (own?.[0] !== check) return undefined;
  const hints = new Set(supported);
  return { supports: (hint) => hints.has(atoms[hint]) };
}
