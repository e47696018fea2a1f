/** Which processes run: a handle to one stays valid, and its id stays its own. */

import { type Kernel32, PROCESS_QUERY_LIMITED_INFORMATION } from "../../../ffi/windows/kernel32.ts";
import type { ProcessTable } from "../types/mod.ts";
import { findProcess } from "./process_names.ts";

/** The right to wait for its end. */
const SYNCHRONIZE = 0x100000;
const WAIT_TIMEOUT = 258;

/** A process that this user may not follow counts as none. */
export function openProcessTable(kernel32: Kernel32["symbols"]): ProcessTable {
  return {
    find: (name) => Promise.resolve(findProcess(kernel32, name)),
    follow(pid) {
      const rights = PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE;
      const handle = kernel32.OpenProcess(rights, 0, pid);
      if (handle === 0n) return undefined;
      const isAlive = () => kernel32.WaitForSingleObject(handle, 0) === WAIT_TIMEOUT;
      const close = () => void kernel32.CloseHandle(handle);
      if (isAlive()) return { isAlive, [Symbol.dispose]: close };
      close();
      return undefined;
    },
  };
}
