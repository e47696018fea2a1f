/** Which processes run: a handle to one stays valid, and its id stays its own. */

import { memory } from "../../../ffi/memory.ts";
import {
  INVALID_HANDLE,
  type Kernel32,
  openKernel32,
  PROCESS_QUERY_LIMITED_INFORMATION,
} from "../../../ffi/windows/kernel32.ts";
import { type Ntdll, openNtdll } from "../../../ffi/windows/ntdll.ts";
import { GW_OWNER, openUser32, type User32, WM_CLOSE } from "../../../ffi/windows/user32.ts";
import { ServiceError } from "../../core/errors.ts";
import type { ProcessTable } from "../types/mod.ts";
import { Completions } from "./completions.ts";
import { listHandles } from "./windows/native_windows.ts";

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

// Finds processes by their names, in a picture of all processes (Tool Help Library).

const TH32CS_SNAPPROCESS = 0x2;
/** `PROCESSENTRY32W` of 64 bits: its size, and the offsets of `th32ProcessID` and `szExeFile`. */
const ENTRY = { size: 568, pid: 8, file: 44 } as const;
/** `szExeFile` has 260 units. */
const FILE_BYTES = 520;

/** The lowest id of a process of this name: in any case, with or without `.exe`. */
function findProcess(kernel32: Kernel32["symbols"], name: string): number | undefined {
  const wanted = plainName(name);
  let found: number | undefined;
  for (const { pid, file } of listProcesses(kernel32)) {
    if (plainName(file) === wanted && (found === undefined || pid < found)) found = pid;
  }
  return found;
}

function* listProcesses(kernel32: Kernel32["symbols"]) {
  const snapshot = kernel32.CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  if (snapshot === INVALID_HANDLE) {
    throw new ServiceError("unavailable", "Cannot list processes: Windows returned no list");
  }
  try {
    const entry = new Uint8Array(ENTRY.size);
    const view = new DataView(entry.buffer);
    view.setUint32(0, ENTRY.size, true);
    const text = new TextDecoder("utf-16le");
    let hasOne = kernel32.Process32FirstW(snapshot, entry) !== 0;
    for (; hasOne; hasOne = kernel32.Process32NextW(snapshot, entry) !== 0) {
      const file = text.decode(entry.subarray(ENTRY.file, ENTRY.file + FILE_BYTES));
      yield { pid: view.getUint32(ENTRY.pid, true), file: file.slice(0, file.indexOf("\0")) };
    }
  } finally {
    kernel32.CloseHandle(snapshot);
  }
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.exe$/, "");
}

// The calls of Windows that run commands.

export interface Win32 extends AsyncDisposable {
  readonly kernel32: Kernel32["symbols"];
  readonly ntdll: Ntdll["symbols"];
  readonly completions: Completions;
  readonly user32: User32;
}

/** @throws Error on other systems */
export function openWin32(): Win32 {
  const [kernel32, ntdll, user32] = [openKernel32(), openNtdll(), openUser32()];
  const completions = new Completions(kernel32.symbols);
  return {
    kernel32: kernel32.symbols,
    ntdll: ntdll.symbols,
    completions,
    user32: user32.symbols,
    async [Symbol.asyncDispose]() {
      await completions[Symbol.asyncDispose]();
      for (const library of [kernel32, ntdll, user32]) library.close();
    },
  };
}

// Asks the windows of programs to close.

/**
 * Asks each main window of these processes to close, as its close button does; returns whether
 * there is one. A dialog has an owner; closing the owner ends the program.
 */
export function askToClose(user32: User32, pids: readonly number[]): boolean {
  const windows = listHandles(user32).filter((window) => {
    const pid = memory(4);
    user32.GetWindowThreadProcessId(window, pid);
    return pids.includes(new DataView(pid.buffer).getUint32(0, true)) &&
      user32.IsWindowVisible(window) !== 0 && user32.GetWindow(window, GW_OWNER) === 0n;
  });
  return windows.map((window) => user32.PostMessageW(window, WM_CLOSE, 0n, 0n) !== 0)
    .includes(true);
}
