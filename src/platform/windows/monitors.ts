/** Lists the monitors and their places on the virtual screen. */

import {
  MONITORENUMPROC,
  MONITORINFOEXW,
  MONITORINFOF_PRIMARY,
  type User32,
} from "../../../ffi/windows/user32.ts";
import type { Region } from "../types/mod.ts";

export interface Monitor extends Region {
  /** `\\.\DISPLAY1` */
  readonly name: string;
  readonly primary: boolean;
}

/** The calls of user32.dll that the list needs. */
export type MonitorCalls = Pick<User32, "EnumDisplayMonitors" | "GetMonitorInfoW">;

/** Lists the monitors, through one callback that it keeps until it is closed. */
export class MonitorList implements Disposable {
  #found: Monitor[] = [];
  #closed = false;
  readonly #callback = new Deno.UnsafeCallback(MONITORENUMPROC, (monitor) => {
    const info = this.#readMonitor(monitor);
    if (info !== undefined) this.#found.push(info);
    return 1;
  });

  constructor(private readonly user32: MonitorCalls) {}

  /**
   * The primary monitor first, the others in the order of Windows. Empty without a desktop, or when
   * the list is closed.
   */
  read(): Monitor[] {
    if (this.#closed) return []; // Windows would call a callback that no longer exists
    this.#found = [];
    this.user32.EnumDisplayMonitors(null, null, this.#callback.pointer, 0n);
    return this.#found.toSorted((a, b) => Number(b.primary) - Number(a.primary));
  }

  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#callback.close();
  }

  #readMonitor(monitor: Deno.PointerValue): Monitor | undefined {
    const bytes = new Uint8Array(MONITORINFOEXW.size);
    new DataView(bytes.buffer).setUint32(MONITORINFOEXW.cbSize, MONITORINFOEXW.size, true);
    return this.user32.GetMonitorInfoW(monitor, bytes) === 0 ? undefined : decodeMonitor(bytes);
  }
}

/** Decodes a MONITORINFOEXW. */
export function decodeMonitor(bytes: Uint8Array<ArrayBuffer>): Monitor {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { rcMonitor, dwFlags, szDevice, CCHDEVICENAME } = MONITORINFOEXW;
  const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => view.getInt32(rcMonitor + at, true));
  const name = new TextDecoder("utf-16le")
    .decode(bytes.subarray(szDevice, szDevice + CCHDEVICENAME * 2));
  return {
    name: name.split("\0", 1)[0]!,
    primary: (view.getUint32(dwFlags, true) & MONITORINFOF_PRIMARY) !== 0,
    x: left!,
    y: top!,
    width: right! - left!,
    height: bottom! - top!,
  };
}
