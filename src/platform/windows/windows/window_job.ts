/** The jobs of the thread that reads and changes windows. */

import { openDwmapi } from "../../../../ffi/windows/dwmapi.ts";
import { openUser32 } from "../../../../ffi/windows/user32_windows.ts";
import type { Point, WindowChange } from "../../types/mod.ts";
import {
  type Handle,
  type NativeWindow,
  NativeWindows,
  type WindowCalls,
} from "./native_windows.ts";
import { changeWindow } from "./window_changes.ts";

/** Points are those of the virtual screen. */
export type WindowJob =
  | { readonly do: "list" }
  | { readonly do: "active" }
  | { readonly do: "find"; readonly handle: Handle }
  | { readonly do: "at"; readonly point: Point }
  | { readonly do: "change"; readonly handle: Handle; readonly change: WindowChange };

export interface WindowResult {
  readonly windows: readonly NativeWindow[];
  readonly handle?: Handle | undefined;
}

/** @throws an error on systems other than Windows. */
export function openWindowJobs(): (job: WindowJob) => WindowResult {
  const calls: WindowCalls = { user32: openUser32().symbols, dwmapi: openDwmapi() };
  const windows = new NativeWindows(calls);
  return (job) => {
    if (job.do === "list") return { windows: windows.list() };
    if (job.do === "active") return { windows: some(windows.active()) };
    if (job.do === "find") return { windows: some(windows.find(job.handle)) };
    if (job.do === "at") return { windows: [], handle: windows.at(job.point) };
    changeWindow({ calls, windows }, job.handle, job.change);
    return { windows: [] };
  };
}

function some(window: NativeWindow | undefined): NativeWindow[] {
  return window === undefined ? [] : [window];
}
