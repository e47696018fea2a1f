/** The windows of Windows, in pixels of one monitor. */

import { pause } from "../../../core/deadline.ts";
import { ALL_CHANGES, closedWindow } from "../../listed_windows.ts";
import type { Point, Region, Window, WindowChange, WindowId, Windows } from "../../types/mod.ts";
import { CallThread } from "../call_thread.ts";
import {
  formatHandle,
  type NativeWindow,
  type NativeWindows,
  parseHandle,
} from "./native_windows.ts";

/** Interval between two lists of the windows, while somebody waits for a change. */
const POLL_INTERVAL_MS = 100;
/** What has changed before somebody began to wait is noticed after this time. */
const LONGEST_WAIT_MS = 1_000;

export class WindowsWindows implements Windows {
  readonly changes = ALL_CHANGES;
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
    const window = await this.thread.call("find", [parseHandle(id)], signal);
    if (window === undefined) throw closedWindow(id);
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

  /** Polls the list; also resolves after a second without a change. */
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

// The thread for windows, which all monitors share.

export class WindowThread extends CallThread<NativeWindows> {
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
