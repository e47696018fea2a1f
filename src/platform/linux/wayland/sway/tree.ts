/** The windows in the tree that sway answers. */

import { z } from "zod";
import type { Window, WindowState } from "../../../types/mod.ts";
import { type OutputPlace, toPixels } from "../window_place.ts";

const Rect = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const NO_RECT = { x: 0, y: 0, width: 0, height: 0 };

const Node = z.object({
  id: z.number(),
  type: z.string(),
  name: z.string().nullable().default(null),
  num: z.number().nullish(),
  pid: z.number().nullish(),
  app_id: z.string().nullish(),
  window_properties: z.object({ class: z.string().nullish() }).nullish(),
  rect: Rect.default(NO_RECT),
  window_rect: Rect.default(NO_RECT),
  border: z.string().default(""),
  deco_rect: Rect.default(NO_RECT),
  focused: z.boolean().default(false),
  urgent: z.boolean().default(false),
  visible: z.boolean().nullish(),
  fullscreen_mode: z.number().default(0),
  get nodes(): z.ZodDefault<z.ZodArray<typeof Node>> {
    return z.array(Node).default([]);
  },
  get floating_nodes(): z.ZodDefault<z.ZodArray<typeof Node>> {
    return z.array(Node).default([]);
  },
});
type Node = z.output<typeof Node>;
export type Tree = Node;

export interface SwayWindow {
  readonly window: Window;
  readonly containerId: number;
  readonly isFloating: boolean;
}

export function parseTree(answer: unknown): Tree {
  return Node.parse(answer);
}

/**
 * `false` while a new window is not shown yet: sway gives its program up to 200 ms to draw it in its
 * place, and until then tells where it will be, but with a border of "none" and no title.
 */
export function isArranged(tree: Tree): boolean {
  const { border, rect, window_rect: inner } = tree;
  const lacksBorder = border === "none" && isWindow(tree) &&
    (inner.width !== rect.width || inner.height !== rect.height);
  return !lacksBorder && [...tree.nodes, ...tree.floating_nodes].every(isArranged);
}

/** Topmost first: what fills the screen, then what floats, then what is tiled. */
export function readWindows(tree: Tree, place: OutputPlace): SwayWindow[] {
  const found: (SwayWindow & { readonly height: number })[] = [];
  const visit = (node: Node, desktop: number | null, isFloating: boolean) => {
    const isWorkspace = node.type === "workspace";
    const number = isWorkspace ? toDesktop(node.num) : desktop;
    if (isWindow(node)) {
      const height = node.fullscreen_mode > 0 ? 2 : isFloating ? 1 : 0;
      const window = describe(node, number, place);
      found.push({ window, containerId: node.id, isFloating, height });
    }
    for (const child of node.nodes) visit(child, number, isFloating);
    for (const child of node.floating_nodes) visit(child, number, true);
  };
  visit(tree, null, false);
  // later ones of the same kind are above
  return found.toReversed().sort((one, other) => other.height - one.height);
}

function isWindow({ nodes, pid }: Node): boolean {
  return nodes.length === 0 && pid !== undefined && pid !== null;
}

function describe(node: Node, desktop: number | null, place: OutputPlace): Window {
  const { rect, window_rect: inner, deco_rect: title } = node;
  const frame = { ...rect, y: rect.y - title.height, height: rect.height + title.height };
  const bounds = {
    ...{ x: rect.x + inner.x, y: rect.y + inner.y },
    ...{ width: inner.width, height: inner.height },
  };
  const states: Partial<Record<WindowState, boolean>> = {
    active: node.focused,
    fullscreen: node.fullscreen_mode > 0,
    attention: node.urgent,
    hidden: node.visible === false,
  };
  return {
    id: formatId(node.id),
    title: node.name ?? "",
    app: node.app_id ?? node.window_properties?.class ?? null,
    pid: node.pid ?? null,
    bounds: toPixels(bounds, place),
    frame: toPixels(frame, place),
    desktop,
    states: (Object.keys(states) as WindowState[]).filter((state) => states[state]),
  };
}

export function formatId(containerId: number): string {
  return `con-${containerId}`;
}

/** Workspaces without a number have none that could be counted. */
function toDesktop(number: number | null | undefined): number | null {
  return number === null || number === undefined || number < 1 ? null : number - 1;
}
