/** Reads and changes the windows of the desktop by Win32, without waiting for their programs. */

import { ServiceError } from "../../../core/errors.ts";
import { cutRawText } from "../../../core/texts.ts";
import { memory } from "../../../../ffi/memory.ts";
import {
  type Dwmapi,
  DWMWA_CLOAKED,
  DWMWA_EXTENDED_FRAME_BOUNDS,
  openDwmapi,
} from "../../../../ffi/windows/graphics.ts";
import {
  EnumWindowsProc,
  GA_ROOT,
  GW_OWNER,
  GWL_EXSTYLE,
  GWL_STYLE,
  HWND_TOP,
  INPUT,
  MENUBARINFO,
  OBJID_MENU,
  openUser32,
  RECT_BYTES,
  SW,
  SWP,
  type User32,
  WM_CLOSE,
  WS,
  WS_EX,
} from "../../../../ffi/windows/user32.ts";
import { closedWindow } from "../../listed_windows.ts";
import type { Point, Region, WindowChange, WindowId, WindowState } from "../../types/mod.ts";

/** `HWND`, as a number. */
export type Handle = bigint;

/** A window, in pixels of the virtual screen, which all monitors share. */
export interface NativeWindow {
  readonly handle: Handle;
  readonly title: string;
  readonly className: string;
  readonly pid: number;
  /** The client area, and the menu bar above it; `null` while it is minimized. */
  readonly client: Region | null;
  /** As it is seen, without its shadow; `null` while it is minimized. */
  readonly frame: Region | null;
  readonly states: readonly WindowState[];
}

interface WindowCalls {
  readonly user32: User32;
  readonly dwmapi: Pick<Dwmapi, "DwmGetWindowAttribute">;
}

/** Longer titles are cut. */
const MAX_TITLE_UNITS = 4_096;
const MAX_CLASS_UNITS = 257;
/** The desktop itself, which Windows also counts as windows. */
const DESKTOP_CLASSES: ReadonlySet<string> = new Set(["Progman", "WorkerW"]);

/** Windows with nothing to use in them. */
const NO_POPUPS: ReadonlySet<string> = new Set(["tooltips_class32", "IME", "MSCTFIME UI"]);

/** A window that is not moved by its title bar; in the thread of its program, which may hang. */
const IN_PLACE = SWP.NOZORDER | SWP.NOACTIVATE | SWP.NOOWNERZORDER | SWP.ASYNCWINDOWPOS;

/** Above all others of its kind, where it is. */
const ON_TOP = SWP.NOSIZE | SWP.NOMOVE | SWP.ASYNCWINDOWPOS;

/** The states that a program does not leave when its window is moved or resized. */
const FIXED = WS.MINIMIZE | WS.MAXIMIZE;

export class NativeWindows {
  readonly #text = new Uint16Array(MAX_TITLE_UNITS);

  constructor(private readonly calls: WindowCalls) {}

  /** Windows that a person would call so, topmost first. */
  list(): NativeWindow[] {
    const foreground = this.foreground();
    return listHandles(this.calls.user32)
      .filter((handle) => this.#isListed(handle))
      .map((handle) => this.#read(handle, foreground))
      .filter((window) => window !== undefined)
      .filter(({ className }) => !DESKTOP_CLASSES.has(className));
  }

  /** The window of the foreground, or the one that owns it; `undefined` for the desktop itself. */
  active(): NativeWindow | undefined {
    const foreground = this.foreground();
    const window = foreground === 0n ? undefined : this.#read(foreground, foreground);
    return window !== undefined && DESKTOP_CLASSES.has(window.className) ? undefined : window;
  }

  /** The window that has the keyboard. */
  foreground(): Handle {
    return this.calls.user32.GetForegroundWindow();
  }

  /** Whether it is a window of its own, rather than a control in one. */
  isTop(handle: Handle): boolean {
    return this.calls.user32.GetAncestor(handle, GA_ROOT) === handle;
  }

  /** `undefined` when it is closed, or hidden. */
  find(handle: Handle): NativeWindow | undefined {
    const { user32 } = this.calls;
    if (user32.IsWindowVisible(handle) === 0) return undefined;
    return this.#read(handle, this.foreground());
  }

  /** The top window at a point; `undefined` where the desktop is visible. */
  at({ x, y }: Point): Handle | undefined {
    const { user32 } = this.calls;
    const point = new BigUint64Array(new Int32Array([x, y]).buffer)[0]!;
    const handle = user32.GetAncestor(user32.WindowFromPoint(point), GA_ROOT);
    return handle === 0n || DESKTOP_CLASSES.has(this.#className(handle)) ? undefined : handle;
  }

  /** Menus and lists that have dropped down in the program of a window, topmost first. */
  popups(handle: Handle): Handle[] {
    const { user32 } = this.calls;
    const thread = (window: Handle) => user32.GetWindowThreadProcessId(window, memory(4));
    const own = thread(handle);
    return listHandles(user32).filter((other) =>
      other !== handle && user32.IsWindowVisible(other) !== 0 && thread(other) === own &&
      !this.#isListed(other) && !NO_POPUPS.has(this.#className(other))
    );
  }

  /**
   * Asks for a change, without waiting for the program.
   * @param change with points of the virtual screen
   * @throws ServiceError `not_found`: it is closed; `permission_denied`: Windows refuses it
   */
  change(handle: Handle, change: WindowChange): void {
    const { user32 } = this.calls;
    const window = this.find(handle);
    const outer = this.#rectangle(handle);
    if (window === undefined || outer === undefined) throw closedWindow(formatHandle(handle));
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
        return this.#bringToFront(handle);
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
    if (carryOut[change.kind](change as never)) return;
    throw new ServiceError(
      "permission_denied",
      `Windows refused to ${change.kind} the window: those of administrators can be controlled only by an administrator`,
    );
  }

  /**
   * Windows gives the foreground to the process that has made the last input: an empty movement of
   * the mouse counts as such.
   */
  #bringToFront(handle: Handle): boolean {
    const { user32 } = this.calls;
    user32.SendInput(1, memory(INPUT.size), INPUT.size);
    const isAllowed = user32.SetForegroundWindow(handle) !== 0;
    // the active window need not be the topmost one
    user32.SetWindowPos(handle, HWND_TOP, 0, 0, 0, 0, ON_TOP);
    return isAllowed;
  }

  /** With its invisible borders, as SetWindowPos counts. */
  #rectangle(handle: Handle): Region | undefined {
    const rectangle = memory(RECT_BYTES);
    return this.calls.user32.GetWindowRect(handle, rectangle) === 0
      ? undefined
      : toRegion(rectangle);
  }

  /** Whether it is one of those in the task bar and in Alt+Tab, or a dialog of one. */
  #isListed(handle: Handle): boolean {
    const { user32 } = this.calls;
    if (user32.IsWindowVisible(handle) === 0 || this.#isCloaked(handle)) return false;
    const more = user32.GetWindowLongW(handle, GWL_EXSTYLE);
    if ((more & WS_EX.APPWINDOW) !== 0) return true;
    if ((more & (WS_EX.TOOLWINDOW | WS_EX.NOACTIVATE)) !== 0) return false;
    const style = user32.GetWindowLongW(handle, GWL_STYLE);
    return (style & (WS.CAPTION | WS.SYSMENU)) !== 0 || this.#title(handle) !== "";
  }

  #isCloaked(handle: Handle): boolean {
    const cloaked = memory(4);
    const { DwmGetWindowAttribute } = this.calls.dwmapi;
    if (DwmGetWindowAttribute(handle, DWMWA_CLOAKED, cloaked, 4) !== 0) return false;
    return cloaked.some((byte) => byte !== 0);
  }

  #read(handle: Handle, foreground: Handle): NativeWindow | undefined {
    const { user32 } = this.calls;
    const pid = memory(4);
    if (user32.GetWindowThreadProcessId(handle, pid) === 0) return undefined;
    const style = user32.GetWindowLongW(handle, GWL_STYLE);
    const minimized = (style & WS.MINIMIZE) !== 0;
    return {
      handle,
      title: this.#title(handle),
      className: this.#className(handle),
      pid: new DataView(pid.buffer).getUint32(0, true),
      client: minimized ? null : this.#client(handle),
      frame: minimized ? null : this.#frame(handle),
      states: this.#states(handle, style, foreground),
    };
  }

  #states(handle: Handle, style: number, foreground: Handle): WindowState[] {
    const { user32 } = this.calls;
    const has = (bit: number) => (style & bit) !== 0;
    const owner = user32.GetWindow(handle, GW_OWNER);
    const ownerStyle = owner === 0n ? 0 : user32.GetWindowLongW(owner, GWL_STYLE);
    const above = (user32.GetWindowLongW(handle, GWL_EXSTYLE) & WS_EX.TOPMOST) !== 0;
    return [
      ...(handle === foreground ? ["active" as const] : []),
      ...(has(WS.MINIMIZE) ? ["minimized" as const] : []),
      ...(has(WS.MAXIMIZE) ? ["maximized" as const] : []),
      ...(above ? ["above" as const] : []),
      // a modal dialog disables the window that owns it
      ...((ownerStyle & WS.DISABLED) !== 0 ? ["modal" as const] : []),
    ];
  }

  #title(handle: Handle): string {
    const { user32 } = this.calls;
    const length = user32.InternalGetWindowText(handle, this.#text, MAX_TITLE_UNITS);
    return cutRawText(this.#units(length), MAX_TITLE_UNITS - 2); // the last unit is a NUL
  }

  #className(handle: Handle): string {
    return this.#units(this.calls.user32.GetClassNameW(handle, this.#text, MAX_CLASS_UNITS));
  }

  #units(length: number): string {
    return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(this.#text.subarray(0, length));
  }

  #client(handle: Handle): Region | null {
    const { user32 } = this.calls;
    const rectangle = memory(RECT_BYTES);
    const origin = new Int32Array(2);
    if (user32.GetClientRect(handle, rectangle) === 0) return null;
    if (user32.ClientToScreen(handle, origin) === 0) return null;
    const client = { ...toRegion(rectangle), x: origin[0]!, y: origin[1]! };
    const top = Math.min(this.#menuTop(handle) ?? client.y, client.y);
    return { ...client, y: top, height: client.height + client.y - top };
  }

  /** The upper edge of the menu bar; `undefined` without one, or where Windows does not report it. */
  #menuTop(handle: Handle): number | undefined {
    const info = memory(MENUBARINFO.size);
    const view = new DataView(info.buffer);
    view.setUint32(MENUBARINFO.cbSize, MENUBARINFO.size, true);
    if (this.calls.user32.GetMenuBarInfo(handle, OBJID_MENU, 0, info) === 0) return undefined;
    const [, top, , bottom] = new Int32Array(info.buffer, MENUBARINFO.rcBar, 4);
    return bottom! > top! ? top : undefined;
  }

  /** A compositor reports what is visible; the rectangle of the window has wide, invisible borders. */
  #frame(handle: Handle): Region | null {
    const rectangle = memory(RECT_BYTES);
    const { DwmGetWindowAttribute } = this.calls.dwmapi;
    const code = DwmGetWindowAttribute(handle, DWMWA_EXTENDED_FRAME_BOUNDS, rectangle, RECT_BYTES);
    return code === 0 ? toRegion(rectangle) : this.#rectangle(handle) ?? null;
  }
}

/** @throws an error on systems other than Windows */
export function openNativeWindows(): NativeWindows {
  return new NativeWindows({ user32: openUser32().symbols, dwmapi: openDwmapi() });
}

/** @throws ServiceError `not_found` for what is no id of a window */
export function parseHandle(id: WindowId): Handle {
  if (/^0x[0-9a-f]{1,16}$/i.test(id)) return BigInt(id);
  throw closedWindow(id);
}

/** `0x1002a` */
export function formatHandle(handle: Handle): string {
  return `0x${handle.toString(16)}`;
}

/** All windows on the top level, topmost first: also hidden ones, and those of the system. */
export function listHandles(user32: WindowCalls["user32"]): Handle[] {
  const handles: Handle[] = [];
  const each = new Deno.UnsafeCallback(EnumWindowsProc, (handle) => {
    handles.push(handle);
    return 1;
  });
  try {
    user32.EnumWindows(each.pointer, 0n);
  } finally {
    each.close();
  }
  return handles;
}

function toRegion(rectangle: Uint8Array<ArrayBuffer>): Region {
  const [left, top, right, bottom] = new Int32Array(rectangle.buffer);
  return { x: left!, y: top!, width: right! - left!, height: bottom! - top! };
}
