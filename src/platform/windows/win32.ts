/** The calls of Windows that run commands. */

import { memory } from "../../../ffi/memory.ts";
import { type Kernel32, openKernel32 } from "../../../ffi/windows/kernel32.ts";
import { type Ntdll, openNtdll } from "../../../ffi/windows/ntdll.ts";
import {
  EnumWindowsProc,
  GW_OWNER,
  openUser32,
  type User32,
  WM_CLOSE,
} from "../../../ffi/windows/user32_windows.ts";
import { Completions } from "./completions.ts";

export interface Win32 extends AsyncDisposable {
  readonly kernel32: Kernel32["symbols"];
  readonly ntdll: Ntdll["symbols"];
  readonly completions: Completions;
  readonly windows: ProgramWindows;
}

/** @throws Error on other systems */
export function openWin32(): Win32 {
  const [kernel32, ntdll, user32] = [openKernel32(), openNtdll(), openUser32()];
  const completions = new Completions(kernel32.symbols);
  return {
    kernel32: kernel32.symbols,
    ntdll: ntdll.symbols,
    completions,
    windows: new ProgramWindows(user32.symbols),
    async [Symbol.asyncDispose]() {
      await completions[Symbol.asyncDispose]();
      for (const library of [kernel32, ntdll, user32]) library.close();
    },
  };
}

// Asks the windows of programs to close.

class ProgramWindows {
  constructor(private readonly user32: User32["symbols"]) {}

  /**
   * Asks each main window of these processes to close, as its close button does; returns whether
   * there is one.
   */
  askToClose(pids: readonly number[]): boolean {
    const windows = this.#all().filter((window) =>
      pids.includes(this.#readOwner(window)) && this.#isMain(window)
    );
    return windows.map((window) => this.user32.PostMessageW(window, WM_CLOSE, 0n, 0n) !== 0)
      .includes(true);
  }

  #all(): readonly bigint[] {
    const windows: bigint[] = [];
    const each = new Deno.UnsafeCallback(EnumWindowsProc, (window) => {
      windows.push(window);
      return 1;
    });
    try {
      this.user32.EnumWindows(each.pointer, 0n);
    } finally {
      each.close();
    }
    return windows;
  }

  #readOwner(window: bigint): number {
    const pid = memory(4);
    this.user32.GetWindowThreadProcessId(window, pid);
    return new DataView(pid.buffer).getUint32(0, true);
  }

  /** A dialog has an owner; closing the owner ends the program. */
  #isMain(window: bigint): boolean {
    return this.user32.IsWindowVisible(window) !== 0 &&
      this.user32.GetWindow(window, GW_OWNER) === 0n;
  }
}
