/** The windows whose elements a reading is about. */

import type { TreeScope } from "../../types/mod.ts";
import type { Handle, NativeWindows } from "../windows/native_windows.ts";
import { closedWindow } from "../windows/window_changes.ts";
import { parseHandle } from "../windows/windows.ts";

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
