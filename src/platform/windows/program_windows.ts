/** Asks the windows of programs to close. */

import { memory } from "../../../ffi/memory.ts";
import {
  EnumWindowsProc,
  GW_OWNER,
  type User32,
  WM_CLOSE,
} from "../../../ffi/windows/user32_windows.ts";

export class ProgramWindows {
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
