/** The calls of Windows that run commands. */

import { type Kernel32, openKernel32 } from "../../../ffi/windows/kernel32.ts";
import { type Ntdll, openNtdll } from "../../../ffi/windows/ntdll.ts";
import { openUser32 } from "../../../ffi/windows/user32_windows.ts";
import { Completions } from "./completions.ts";
import { ProgramWindows } from "./program_windows.ts";

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
