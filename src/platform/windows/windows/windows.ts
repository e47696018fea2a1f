/** The windows of Windows, in pixels of one monitor. */

import { memory } from "../../../../ffi/memory.ts";
import { openDwmapi } from "../../../../ffi/windows/graphics.ts";
import {
  GWL_STYLE,
  HWND_TOP,
  INPUT,
  openUser32,
  SW,
  SWP,
  WM_CLOSE,
  WS,
} from "../../../../ffi/windows/user32.ts";
import { pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Point, Region, Window, WindowChange, WindowId, Windows } from "../../types/mod.ts";
import { CallThread } from "../call_thread.ts";
import {
  type Handle,
  type NativeWindow,
  NativeWindows,
  type WindowCalls,
} from "./native_windows.ts";

/** Pause between two looks at the windows, while somebody waits for a change. */
const POLL_INTERVAL_MS = 100;
/** What has changed before somebody began to wait is noticed after this time. */
const LONGEST_WAIT_MS = 1_000;

export class WindowsWindows implements Windows {
  readonly changes: ReadonlySet<WindowChange["kind"]> = new Set([
    ...["focus", "minimize", "maximize", "restore", "close", "move", "resize"] as const,
  ]);
  /** All windows, as they were last listed. */
  #seen = "";

  /** @param origin of the monitor on the virtual screen, now */
  constructor(private readonly thread: WindowThread, private readonly origin: () => Point) {}

  /** All windows of the desktop: those of other monitors lie beyond the screen. */
  async list(signal: AbortSignal): Promise<readonly Window[]> {
    const windows = await this.thread.call("list", [], signal);
    const list = windows.map((window) => this.#localize(window));
    this.#seen = JSON.stringify(list);
    return list;
  }

  async active(signal: AbortSignal): Promise<Window | null> {
    const window = await this.thread.call("active", [], signal);
    return window ? this.#localize(window) : null;
  }

  async find(id: WindowId, signal: AbortSignal): Promise<Window> {
    const handle = parseHandle(id);
    const window = await this.thread.call("find", [handle], signal);
    if (window === undefined) throw closedWindow(handle);
    return this.#localize(window);
  }

  async change(id: WindowId, change: WindowChange, signal: AbortSignal): Promise<void> {
    const { x, y } = this.origin();
    const placed = change.kind === "move"
      ? { ...change, to: { x: change.to.x + x, y: change.to.y + y } }
      : change;
    await this.thread.call("change", [parseHandle(id), placed], signal);
  }

  async at(point: Point, signal: AbortSignal): Promise<WindowId | undefined> {
    const { x, y } = this.origin();
    const onAll = { x: point.x + x, y: point.y + y };
    const handle = await this.thread.call("at", [onAll], signal);
    return handle === undefined ? undefined : formatHandle(handle);
  }

  /** By looking again and again; also resolves after a second without a change. */
  async changed(signal: AbortSignal): Promise<void> {
    const before = this.#seen;
    for (const end = performance.now() + LONGEST_WAIT_MS; performance.now() < end;) {
      await pause(POLL_INTERVAL_MS, signal);
      await this.list(signal);
      if (this.#seen !== before) return;
    }
  }

  #localize({ handle, className, client, frame, ...window }: NativeWindow): Window {
    const origin = this.origin();
    const local = (region: Region | null) =>
      region && { ...region, x: region.x - origin.x, y: region.y - origin.y };
    return {
      id: formatHandle(handle),
      title: window.title,
      app: className,
      pid: window.pid,
      bounds: local(client),
      frame: local(frame),
      desktop: null,
      states: window.states,
    };
  }
}

/** @throws ServiceError `not_found` for what is no id of a window */
export function parseHandle(id: WindowId): Handle {
  if (/^0x[0-9a-f]{1,16}$/i.test(id)) return BigInt(id);
  throw new ServiceError("not_found", `There is no window "${id}"`);
}

// Asks for changes of windows, without waiting for their programs.

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
function changeWindow(
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
  if (carryOut[change.kind](change as never)) return;
  throw new ServiceError(
    "permission_denied",
    `Windows refused to ${change.kind} the window: those of administrators can be controlled only by an administrator`,
  );
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
  return new ServiceError("not_found", `Window "${formatHandle(handle)}" no longer exists`);
}

/** `0x1002a` */
export function formatHandle(handle: Handle): string {
  return `0x${handle.toString(16)}`;
}

// The calls of the thread that reads and changes windows.

type ThreadCalls = ReturnType<typeof openWindowCalls>;

/**
 * Points are those of the virtual screen.
 * @throws an error on systems other than Windows.
 */
export function openWindowCalls() {
  const calls: WindowCalls = { user32: openUser32().symbols, dwmapi: openDwmapi() };
  const windows = new NativeWindows(calls);
  return {
    list: () => windows.list(),
    active: () => windows.active(),
    find: (handle: Handle) => windows.find(handle),
    at: (point: Point) => windows.at(point),
    change: (handle: Handle, change: WindowChange) =>
      changeWindow({ calls, windows }, handle, change),
  };
}

// The thread for windows, which all monitors share.

export class WindowThread extends CallThread<ThreadCalls> {
  constructor() {
    super({
      kind: "window",
      callMs: 5_000, // nothing waits for a program, so that only a desktop that hangs takes longer
      late: "Windows did not report its windows",
      stopMs: 100,
      idleMs: 60_000,
    });
  }
}
