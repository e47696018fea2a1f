/** Protects the memory of the service from other processes of its user. */

import {
  openPrctl,
  PR_GET_DUMPABLE,
  PR_SET_DUMPABLE,
  SUID_DUMP_DISABLE,
} from "../../../../ffi/linux/process.ts";

/**
 * From now on only root can read `/proc/PID/environ`, `mem` and `fd` of the service, attach to it
 * or get a core dump. This matters because the commands that it runs have the rights of its user,
 * and its initial environment contained the token. Processes that it starts are not affected:
 * `exec` clears the setting.
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

/** Whether only root can look into this process. */
export function isMemoryPrivate(): boolean {
  const library = openPrctl();
  try {
    return library.symbols.prctl(PR_GET_DUMPABLE, 0n, 0n, 0n, 0n) === 0;
  } finally {
    library.close();
  }
}
