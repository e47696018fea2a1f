/** Which top elements of programs are which windows of the display. */

import { ServiceError } from "../../../core/errors.ts";
import type { TreeScope, WindowId } from "../../types/mod.ts";
import type { KnownWindow } from "./jobs.ts";
import type { Node } from "./node.ts";
import { shows } from "./node.ts";
import type { OpenProgram } from "./programs.ts";
import { roleName } from "./roles.ts";
import { hasState } from "./states.ts";

/** A top element that is read. */
export interface Frame {
  readonly node: Node;
  /** Whether it is a top element of its program. */
  readonly isWindow: boolean;
  readonly window?: KnownWindow | undefined;
}

/** Top elements without a window of their own in the list: menus and hints of their program. */
const POPUPS = ["window", "popup-menu", "tool-tip", "menu", "combo-box", "list-box"];

/**
 * The window of a scope, where it names one.
 * @throws ServiceError `not_found`: there is no such window
 */
export function findWindow(
  scope: TreeScope,
  windows: readonly KnownWindow[] | null,
): KnownWindow | undefined {
  if (scope === "focused window") return windows?.find(({ isActive }) => isActive);
  if (typeof scope !== "object" || !("window" in scope)) return undefined;
  const window = windows?.find(({ id }) => id === scope.window);
  if (window !== undefined) return window;
  throw new ServiceError("not_found", `There is no window "${scope.window}" on this display`);
}

/** The top elements of a program that a scope asks for. */
export function chooseFrames(
  { program, frames }: OpenProgram,
  { scope, hidden, windows }: {
    readonly scope: TreeScope;
    readonly hidden: boolean;
    readonly windows: readonly KnownWindow[] | null;
  },
): Frame[] {
  const own = windows?.filter(({ pid }) => pid === null || pid === program.pid) ?? [];
  const matched = matchWindows(frames, own);
  const shown = frames.filter((node) =>
    hidden || shows(node, "showing") && !hasState(node.states, "iconified")
  ).map((node): Frame => ({ node, isWindow: true, window: matched.get(node) }));
  if (scope === "all windows") return shown;
  const wanted = findWindow(scope, windows);
  if (wanted === undefined) return shown.filter(({ node }) => hasState(node.states, "active"));
  if (!shown.some(({ window }) => window === wanted)) return [];
  return shown.filter(({ node, window }) =>
    window === wanted || window === undefined && POPUPS.includes(roleName(node.role))
  );
}

/** By title, else the only ones that are left. */
export function matchWindows(
  frames: readonly Node[],
  windows: readonly KnownWindow[],
): ReadonlyMap<Node, KnownWindow> {
  const matched = new Map<Node, KnownWindow>();
  const left = new Map<WindowId, KnownWindow>(windows.map((each) => [each.id, each]));
  for (const node of frames) {
    const same = [...left.values()].find(({ title }) => title === node.name);
    if (same === undefined) continue;
    matched.set(node, same);
    left.delete(same.id);
  }
  const rest = frames.filter((node) =>
    !matched.has(node) && !POPUPS.includes(roleName(node.role)) && hasState(node.states, "visible")
  );
  const [window] = left.values();
  if (rest.length === 1 && left.size === 1) matched.set(rest[0]!, window!);
  return matched;
}
