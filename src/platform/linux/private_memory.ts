/** Closes the memory of the service to other processes of its user. */

import { openPrctl, PR_SET_DUMPABLE, SUID_DUMP_DISABLE } from "../../../ffi/linux/prctl.ts";

/**
 * From now on only root reads `/proc/PID/environ`, `mem` and `fd` of the service, attaches to it or
 * gets a core dump: the commands that it runs have its user's rights, and its first environment held
 * the token. What it starts is not affected: the mark ends with `exec`.
 * @throws Error when the system has no such call.
 */
export function makeMemoryPrivate(): void {
  const library = openPrctl();
  try {
    if (library.symbols.prctl(PR_SET_DUMPABLE, SUID_DUMP_DISABLE, 0n, 0n, 0n) === 0) return;
    throw new Error("the system refuses it");
  } finally {
    library.close();
  }
}
