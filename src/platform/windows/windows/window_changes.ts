/** Asks for changes of windows, without waiting for their programs. */

import { memory } from "../../../../ffi/memory.ts";
import { INPUT } from "../../../../ffi/windows/user32.ts";
import {
  GWL_STYLE,
  HWND_TOP,
  SW,
  SWP,
  WM_CLOSE,
  WS,
} from "../../../../ffi/windows/user32_windows.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Region, WindowChange } from "../../types/mod.ts";
import type { Handle, NativeWindows, WindowCalls } from "./native_windows.ts";

/** A window that is not moved by its title bar; in the thread of its program, which may hang. */
const IN_PLACE = SWP.NOZORDER | SWP.NOACTIVATE | SWP.NOOWNERZORDER | SWP.ASYNCWINDOWPOS;

/** Above all others of its kind, where it is. */
const ON_TOP = SWP.NOSIZE | SWP.NOMOVE | SWP.ASYNCWINDOWPOS;

/** The states that a program does not leave when its window is moved or resized. */
const FIXED = WS.MINIMIZE | WS.MAXIMIZE;

/**
 * @param change with points of the virtual screen
 * @throws ServiceError `not_found`: it is closed; `permission_denied`: Windows refuses it
 */
export function changeWindow(
  { calls, windows }: { readonly calls: WindowCalls; readonly windows: NativeWindows },
  handle: Handle,
  change: WindowChange,
): void {
  const { user32 } = calls;
  const window = windows.find(handle);
  const outer = windows.rectangle(handle);
  if (window === undefined || outer === undefined) throw closedWindow(handle);
  const show = (command: number) => {
    user32.ShowWindowAsync(handle, command);
    return true;
  };
  const place = ({ x, y, width, height }: Region, flags: number) => {
    const isFixed = (user32.GetWindowLongW(handle, GWL_STYLE) & FIXED) !== 0;
    if (isFixed) show(SW.RESTORE);
    const args = [x, y, width, height, flags | IN_PLACE] as const;
    return user32.SetWindowPos(handle, 0n, ...args) !== 0;
  };
  const carryOut = {
    focus: () => {
      if (window.states.includes("minimized")) show(SW.RESTORE);
      return bringToFront(calls, handle);
    },
    minimize: () => show(SW.MINIMIZE),
    maximize: () => show(SW.MAXIMIZE),
    restore: () => show(SW.RESTORE),
    close: () => user32.PostMessageW(handle, WM_CLOSE, 0n, 0n) !== 0,
    move: ({ to }: Extract<WindowChange, { kind: "move" }>) => {
      const frame = window.frame ?? outer; // without the invisible borders
      const corner = { x: to.x + outer.x - frame.x, y: to.y + outer.y - frame.y };
      return place({ ...outer, ...corner }, SWP.NOSIZE);
    },
    resize: ({ width, height }: Extract<WindowChange, { kind: "resize" }>) => {
      const frame = window.frame ?? outer;
      const size = {
        width: width + outer.width - frame.width,
        height: height + outer.height - frame.height,
      };
      return place({ ...outer, ...size }, SWP.NOMOVE);
    },
  } satisfies { readonly [Kind in WindowChange["kind"]]: unknown };
  if (!carryOut[change.kind](change as never)) throw refused(change.kind);
}

/**
 * Windows gives the foreground to the process that has made the last input: an empty movement of the
 * mouse counts as such.
 */
function bringToFront({ user32 }: WindowCalls, handle: Handle): boolean {
  user32.SendInput(1, memory(INPUT.size), INPUT.size);
  const isAllowed = user32.SetForegroundWindow(handle) !== 0;
  // the active window need not be the topmost one
  user32.SetWindowPos(handle, HWND_TOP, 0, 0, 0, 0, ON_TOP);
  return isAllowed;
}

export function closedWindow(handle: Handle): ServiceError {
  return new ServiceError("not_found", `There is no window "${formatHandle(handle)}" any more`);
}

/** `0x1002a` */
export function formatHandle(handle: Handle): string {
  return `0x${handle.toString(16)}`;
}

function refused(what: string): ServiceError {
  return new ServiceError(
    "permission_denied",
    `Windows refuses to ${what} the window: those of administrators obey an administrator alone`,
  );
}
