/** Protects the memory of the service from other processes of its user. */

import { openLibc } from "../../../../ffi/linux/libc.ts";
import {
  PR_GET_DUMPABLE,
  PR_SET_DUMPABLE,
  PRCTL_SYMBOLS,
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
  if (prctl(PR_SET_DUMPABLE, SUID_DUMP_DISABLE) !== 0) throw new Error("the system refuses it");
}

/** Whether only root can look into this process. */
export function isMemoryPrivate(): boolean {
  return prctl(PR_GET_DUMPABLE) === 0;
}

/** Reads or changes a setting of this process. @throws Error when the system has no such call. */
export function prctl(option: number, value = 0n): number {
  const library = openLibc(PRCTL_SYMBOLS);
  try {
    return library.symbols.prctl(option, value, 0n, 0n, 0n);
  } finally {
    library.close();
  }
}
