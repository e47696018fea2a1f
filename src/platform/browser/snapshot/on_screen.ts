/** Which nodes of a page lie in the viewport, read for all of them in one call. */

import { evaluateApart } from "../own_world.ts";
import type { Tab } from "../tab.ts";

/** Whether a node shows in the viewport; `undefined` where it has no place of its own. */
export type OnScreen = (node: number) => boolean | undefined;

const VIEWPORT = "[innerWidth, innerHeight]";

/** The first frame of a session, and the time for one call. */
export interface InFrame {
  readonly frame: string;
  readonly session: string;
  readonly timeoutMs: number;
}

/** By frame. */
export async function findOnScreen(
  tab: Tab,
  at: InFrame,
): Promise<ReadonlyMap<string, OnScreen>> {
  const [width, height] = (await evaluateApart(tab, VIEWPORT, at) as unknown[]).map(Number);
  const snapshot = await tab.call("DOMSnapshot.captureSnapshot", { computedStyles: [] }, at);
  const found = new Map<string, OnScreen>();
  for (
    const { frameId, nodes, layout, scrollOffsetX = 0, scrollOffsetY = 0 } of snapshot.documents
  ) {
    const shown = new Map<number, boolean>();
    layout.nodeIndex.forEach((index: number, at: number) => {
      const [x, y, w, h] = layout.bounds[at];
      const isIn = x + w > scrollOffsetX && x < scrollOffsetX + width! &&
        y + h > scrollOffsetY && y < scrollOffsetY + height!;
      const node = nodes.backendNodeId[index];
      shown.set(node, isIn || shown.get(node) === true);
    });
    found.set(snapshot.strings[frameId], (node) => shown.get(node));
  }
  return found;
}
