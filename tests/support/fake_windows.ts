/** The windows of a fake display, topmost first. */

import { ServiceError } from "../../src/core/errors.ts";
import type {
  Point,
  Region,
  Window,
  WindowChange,
  WindowId,
  Windows,
} from "../../src/platform/types/mod.ts";

/** A window as a test describes it. */
export type FakeWindow = Pick<Window, "id"> & Partial<Window> & { readonly bounds: Region };

export class FakeWindows implements Windows {
  readonly changes: ReadonlySet<WindowChange["kind"]> = new Set(["focus", "close"]);
  /** Topmost first; the first one is active. */
  shown: Window[] = [];
  /** Windows that no list has, such as menus: what is at a point before all others. */
  unlisted: readonly { readonly id: WindowId; readonly bounds: Region }[] = [];
  /** Whether a window that is asked to take the focus does so. */
  obeys = true;

  /** Shows these windows. */
  show(...windows: FakeWindow[]): void {
    this.shown = windows.map((one) => ({
      ...{ title: one.id, app: null, pid: null, frame: one.bounds, desktop: 0, states: [] },
      ...one,
    }));
  }

  list(): Promise<readonly Window[]> {
    return Promise.resolve(this.shown);
  }

  active(): Promise<Window | null> {
    return Promise.resolve(this.shown[0] ?? null);
  }

  find(id: WindowId): Promise<Window> {
    const found = this.shown.find((one) => one.id === id);
    if (found) return Promise.resolve(found);
    return Promise.reject(new ServiceError("not_found", `There is no window "${id}"`));
  }

  async change(id: WindowId, change: WindowChange): Promise<void> {
    const window = await this.find(id);
    const others = this.shown.filter((one) => one !== window);
    if (change.kind === "close") this.shown = others;
    if (change.kind === "focus" && this.obeys) this.shown = [window, ...others];
  }

  at({ x, y }: Point): Promise<WindowId | undefined> {
    const all = [...this.unlisted, ...this.shown];
    const isAt = (area: Region | null | undefined) =>
      area && x >= area.x && y >= area.y && x < area.x + area.width && y < area.y + area.height;
    return Promise.resolve(
      all.find((one) => isAt("frame" in one ? one.frame : one.bounds))?.id,
    );
  }

  async changed(signal: AbortSignal): Promise<void> {
    const { promise, reject } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    signal.throwIfAborted();
    await promise;
  }
}
