/** What reads and uses elements in the thread for it: UI Automation, or the controls themselves. */

import type {
  Element,
  ElementAction,
  ElementId,
  Point,
  ReadTree,
  TreeReading,
  TreeScope,
} from "../../types/mod.ts";
import type { Handle, NativeWindows } from "../windows/native_windows.ts";
import { closedWindow, parseHandle } from "../windows/windows.ts";
import type { Budget } from "./budget.ts";

export interface SourceReading extends Pick<TreeReading, "scope" | "hidden"> {
  readonly budget: Budget;
}

/** Points and bounds are those of the virtual screen. Nothing is asynchronous: Windows waits. */
export interface ElementSource {
  read(reading: SourceReading): Omit<ReadTree, "truncated">;
  refresh(id: ElementId): Element | undefined;
  /** As the port says. */
  perform(id: ElementId, action: ElementAction): boolean | undefined;
  elementAt(point: Point): ElementId | undefined;
  contains(outer: ElementId, inner: ElementId): boolean;
}

// The windows whose elements a reading is about.

export type TopWindows = Pick<NativeWindows, "active" | "find" | "list" | "popups">;

/**
 * With the menus and lists that have dropped down from each window.
 * @throws ServiceError `not_found`: it is closed
 */
export function findTops(
  windows: TopWindows,
  scope: Exclude<TreeScope, { readonly element: string }>,
): Handle[] {
  if (scope === "all windows") return windows.list().flatMap(({ handle }) => withPopups(handle));
  if (scope === "focused window") {
    const handle = windows.active()?.handle;
    return handle === undefined ? [] : withPopups(handle);
  }
  const handle = parseHandle(scope.window);
  if (windows.find(handle) === undefined) throw closedWindow(handle);
  return withPopups(handle);

  function withPopups(handle: Handle): Handle[] {
    return [...windows.popups(handle), handle];
  }
}
