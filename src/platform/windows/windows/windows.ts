/** The windows of Windows, in pixels of one monitor. */

import { pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Point, Region, Window, WindowChange, WindowId, Windows } from "../../types/mod.ts";
import type { Handle, NativeWindow } from "./native_windows.ts";
import { closedWindow, formatHandle } from "./window_changes.ts";
import type { WindowThread } from "./window_thread.ts";

/** Pause between two looks at the windows, while somebody waits for a change. */
const LOOK_MS = 100;
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
    const { windows } = await this.thread.run({ do: "list" }, signal);
    const list = this.#localize(windows);
    this.#seen = JSON.stringify(list);
    return list;
  }

  async active(signal: AbortSignal): Promise<Window | null> {
    const { windows } = await this.thread.run({ do: "active" }, signal);
    return this.#localize(windows)[0] ?? null;
  }

  async find(id: WindowId, signal: AbortSignal): Promise<Window> {
    const handle = parseHandle(id);
    const { windows } = await this.thread.run({ do: "find", handle }, signal);
    const [window] = this.#localize(windows);
    if (window === undefined) throw closedWindow(handle);
    return window;
  }

  async change(id: WindowId, change: WindowChange, signal: AbortSignal): Promise<void> {
    const { x, y } = this.origin();
    const placed = change.kind === "move"
      ? { ...change, to: { x: change.to.x + x, y: change.to.y + y } }
      : change;
    await this.thread.run({ do: "change", handle: parseHandle(id), change: placed }, signal);
  }

  async at(point: Point, signal: AbortSignal): Promise<WindowId | undefined> {
    const { x, y } = this.origin();
    const onAll = { x: point.x + x, y: point.y + y };
    const { handle } = await this.thread.run({ do: "at", point: onAll }, signal);
    return handle === undefined ? undefined : formatHandle(handle);
  }

  /** By looking again and again; also resolves after a second without a change. */
  async changed(signal: AbortSignal): Promise<void> {
    const before = this.#seen;
    for (const end = performance.now() + LONGEST_WAIT_MS; performance.now() < end;) {
      await pause(LOOK_MS, signal);
      await this.list(signal);
      if (this.#seen !== before) return;
    }
  }

  #localize(windows: readonly NativeWindow[]): Window[] {
    const origin = this.origin();
    const local = (region: Region | null) =>
      region && { ...region, x: region.x - origin.x, y: region.y - origin.y };
    return windows.map(({ handle, title, className, pid, client, frame, states }) => ({
      id: formatHandle(handle),
      title,
      app: className,
      pid,
      bounds: local(client),
      frame: local(frame),
      desktop: null,
      states,
    }));
  }
}

/** @throws ServiceError `not_found` for what is no id of a window */
export function parseHandle(id: WindowId): Handle {
  if (/^0x[0-9a-f]{1,16}$/i.test(id)) return BigInt(id);
  throw new ServiceError("not_found", `There is no window "${id}"`);
}
