/** The controls of other programs as windows, and messages to them, none of which waits for long. */

import { memory } from "../../../../../ffi/memory.ts";
import {
  type ControlCalls,
  CWP_SKIPINVISIBLE,
  GA_PARENT,
  GUITHREADINFO,
  GW_HWNDPREV,
  SMTO_ABORTIFHUNG,
  WM,
} from "../../../../../ffi/windows/user32_controls.ts";
import {
  EnumWindowsProc,
  GA_ROOT,
  GWL_STYLE,
  RECT_BYTES,
} from "../../../../../ffi/windows/user32_windows.ts";
import type { Point, Region } from "../../../types/mod.ts";
import type { Handle } from "../../windows/native_windows.ts";

/** How long a program may take for one answer, in milliseconds. */
const ANSWER_TIMEOUT_MS = 250;
/** Longer texts are cut. */
const MAX_TEXT_UNITS = 100_000;
const MAX_CLASS_UNITS = 257;

export class NativeControls {
  constructor(readonly user32: ControlCalls) {}

  /** Every control in a window, at any depth, as the program has made them. */
  below(window: Handle): Handle[] {
    return this.#collect((each) => this.user32.EnumChildWindows(window, each, 0n));
  }

  parent(control: Handle): Handle {
    return this.user32.GetAncestor(control, GA_PARENT);
  }

  root(control: Handle): Handle {
    return this.user32.GetAncestor(control, GA_ROOT);
  }

  isVisible(control: Handle): boolean {
    return this.user32.IsWindowVisible(control) !== 0;
  }

  className(control: Handle): string {
    const units = memory(MAX_CLASS_UNITS * 2);
    const length = this.user32.GetClassNameW(control, units, MAX_CLASS_UNITS);
    return decode(units, length);
  }

  style(control: Handle): number {
    return this.user32.GetWindowLongW(control, GWL_STYLE);
  }

  /** `undefined` when it is gone. */
  owner(control: Handle): { readonly pid: number; readonly thread: number } | undefined {
    const pid = memory(4);
    const thread = this.user32.GetWindowThreadProcessId(control, pid);
    return thread === 0 ? undefined : { thread, pid: new DataView(pid.buffer).getUint32(0, true) };
  }

  bounds(control: Handle): Region | undefined {
    const rectangle = memory(RECT_BYTES);
    if (this.user32.GetWindowRect(control, rectangle) === 0) return undefined;
    return toRegion(new Int32Array(rectangle.buffer));
  }

  /** A rectangle inside a control as one on the screen. */
  toScreen(control: Handle, rectangle: Int32Array): Region {
    const origin = new Int32Array(2);
    this.user32.ClientToScreen(control, origin);
    const region = toRegion(rectangle);
    return { ...region, x: region.x + origin[0]!, y: region.y + origin[1]! };
  }

  hasFocus(control: Handle): boolean {
    const thread = this.owner(control)?.thread ?? 0;
    const info = memory(GUITHREADINFO.size);
    const view = new DataView(info.buffer);
    view.setUint32(GUITHREADINFO.cbSize, GUITHREADINFO.size, true);
    if (this.user32.GetGUIThreadInfo(thread, info) === 0) return false;
    return view.getBigUint64(GUITHREADINFO.hwndFocus, true) === control &&
      this.root(control) === this.user32.GetForegroundWindow();
  }

  /** The control before it in the order of its parent. */
  before(control: Handle): Handle {
    return this.user32.GetWindow(control, GW_HWNDPREV);
  }

  /** The topmost control at a point. */
  at({ x, y }: Point): Handle {
    let found = this.user32.WindowFromPoint(packPoint(x, y));
    // which passes over disabled controls, and frames that are transparent to the mouse
    for (let next = found; next !== 0n; found = next) {
      const point = new Int32Array([x, y]);
      this.user32.ScreenToClient(found, point);
      next = this.user32.ChildWindowFromPointEx(
        found,
        packPoint(point[0]!, point[1]!),
        CWP_SKIPINVISIBLE,
      );
      if (next === found || next === 0n) return found;
    }
    return found;
  }

  /** What it holds or shows, as it answers itself; `undefined` when it does not answer in time. */
  text(control: Handle): string | undefined {
    const length = this.send(control, WM.GETTEXTLENGTH);
    if (length === undefined) return undefined;
    const size = Math.min(Number(length), MAX_TEXT_UNITS) + 1;
    const units = memory(size * 2);
    const copied = this.send(control, WM.GETTEXT, size, units);
    return copied === undefined ? undefined : decode(units, Number(copied));
  }

  /** Whether its program takes messages at all. */
  answers(control: Handle): boolean {
    return this.send(control, WM.NULL) !== undefined;
  }

  /** The answer to a message; `undefined` when there is none in time, or it is gone. */
  send(
    control: Handle,
    message: number,
    wParam: number | bigint = 0,
    lParam: number | bigint | Uint8Array<ArrayBuffer> = 0n,
    ms = ANSWER_TIMEOUT_MS,
  ): bigint | undefined {
    const result = new BigUint64Array(1);
    const first = BigInt.asUintN(64, BigInt(wParam));
    const wait = [SMTO_ABORTIFHUNG, ms, result] as const;
    const { SendBufferTimeoutW, SendMessageTimeoutW } = this.user32;
    const answered = typeof lParam === "object"
      ? SendBufferTimeoutW(control, message, first, lParam, ...wait)
      : SendMessageTimeoutW(control, message, first, asAddress(lParam), ...wait);
    return answered === 0n ? undefined : BigInt.asIntN(64, result[0]!);
  }

  #collect(enumerate: (each: Deno.PointerObject) => unknown): Handle[] {
    const handles: Handle[] = [];
    const each = new Deno.UnsafeCallback(EnumWindowsProc, (handle) => {
      handles.push(handle);
      return 1;
    });
    try {
      enumerate(each.pointer);
    } finally {
      each.close();
    }
    return handles;
  }
}

function asAddress(value: number | bigint): bigint {
  return BigInt.asUintN(64, BigInt(value));
}

function packPoint(x: number, y: number): bigint {
  return new BigUint64Array(new Int32Array([x, y]).buffer)[0]!;
}

function toRegion([left, top, right, bottom]: Int32Array): Region {
  return { x: left!, y: top!, width: right! - left!, height: bottom! - top! };
}

function decode(units: Uint8Array<ArrayBuffer>, length: number): string {
  return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(units.subarray(0, length * 2));
}
