/** The log of the kernel, as a file that never ends. */

import { unless } from "./test_if.ts";

export const KERNEL_LOG = "/proc/kmsg";

/** For `ignore` of a test that reads it: containers let nobody, others let root only. */
export function cannotReadKernelLog(): boolean {
  return unless(mayOpen(KERNEL_LOG), `needs the right to read ${KERNEL_LOG}`);
}

function mayOpen(path: string): boolean {
  try {
    Deno.openSync(path).close();
    return true;
  } catch {
    return false;
  }
}
