/** Which processes run, by `/proc`; each is known by the time at which it was started (proc(5)). */

import { exists } from "../posix/process_table.ts";
import type { ProcessTable } from "../types/mod.ts";
import { isAlive, readIdentity } from "./process_identity.ts";
import { ProcessNames } from "./process_names.ts";

export function openProcessTable(): ProcessTable {
  const names = new ProcessNames();
  return {
    find: (name) => names.find(name),
    follow(pid) {
      const identity = readIdentity(pid);
      if (identity) return { isAlive: () => isAlive(identity), [Symbol.dispose]: () => {} };
      // /proc can hide the processes of other users (mount option hidepid)
      if (isListed(pid) || !exists(pid)) return undefined;
      return { isAlive: () => exists(pid), [Symbol.dispose]: () => {} };
    },
  };
}

/** Whether there is an entry for it, which is that of one that has ended where it has no identity. */
function isListed(pid: number): boolean {
  try {
    Deno.statSync(`/proc/${pid}`);
    return true;
  } catch {
    return false;
  }
}
