/** Finds the program that a process runs. */

import { memory } from "../../../ffi/memory.ts";
import { type Kernel32, PROCESS_QUERY_LIMITED_INFORMATION } from "../../../ffi/windows/kernel32.ts";

const MAX_PATH_UNITS = 32_767;
const CONSOLE_HOST = /[\\/]conhost\.exe$/i;

const decoder = new TextDecoder("utf-16le");

/**
 * Whether the process is a console host. Also true for a process that has ended, because it does
 * not count as running either.
 */
export function isConsoleHost(kernel32: Kernel32["symbols"], pid: number): boolean {
  const path = readImageName(kernel32, pid);
  return path === undefined || CONSOLE_HOST.test(path);
}

/** The path of the program; `undefined` when the process has ended. */
function readImageName(kernel32: Kernel32["symbols"], pid: number): string | undefined {
  const handle = kernel32.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid);
  if (handle === 0n) return undefined;
  try {
    const path = memory(MAX_PATH_UNITS * 2);
    const length = new Uint32Array([MAX_PATH_UNITS]);
    const done = kernel32.QueryFullProcessImageNameW(handle, 0, path, length);
    return done === 0 ? undefined : decoder.decode(path.subarray(0, length[0]! * 2));
  } finally {
    kernel32.CloseHandle(handle);
  }
}
