/** The windows of sway, as its own interface reports and changes them. */

import { z } from "zod";
import { pause } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { SharedRun, Waiters } from "../../../../core/shared_run.ts";
import type {
  Point,
  Window,
  WindowChange,
  WindowId,
  Windows,
  WindowState,
} from "../../../types/mod.ts";
import {
  closedWindow,
  ListedWindows,
  type OutputPosition,
  toPixels,
} from "../../../listed_windows.ts";
import { findAt, toUnits } from "../pointer_position.ts";
import { MESSAGE, SwayIpc } from "./ipc.ts";

const EVENTS = ["window", "workspace", "output"];
/** By then sway shows a new window, whatever its program does; two can come one after the other. */
const ARRANGED_MS = 500;
const POLL_INTERVAL_MS = 10;
/**
 * How long sway may show a window as it was, and give it the mouse as it was, after a change of its size:
 * it waits for the program to draw, and does not report when it has.
 */
const REDRAW_MS = 200;
/** Changes of the size. */
const REDRAWN: ReadonlySet<WindowChange["kind"]> = new Set(["resize", "restore"]);

export class SwayWindows extends ListedWindows implements Windows, Disposable {
  readonly changes: ReadonlySet<WindowChange["kind"]> = new Set(
    ["focus", "restore", "close", "move", "resize"] as const,
  );
  readonly #ipc: SwayIpc;
  /** One tree for all callers at the same time. */
  readonly #trees = new SharedRun(() => this.#readTree());
  readonly #news = new Waiters();
  #following: Promise<Disposable> | undefined;

  /** @param position of the output whose pixels count */
  constructor(path: string, private readonly position: () => OutputPosition) {
    super();
    this.#ipc = new SwayIpc(path);
  }

  async list(): Promise<readonly Window[]> {
    return (await this.#read()).map(({ window }) => window);
  }

  async change(id: WindowId, change: WindowChange, signal: AbortSignal): Promise<void> {
    const found = (await this.#read()).find(({ window }) => window.id === id);
    if (found === undefined) throw closedWindow(id);
    await this.#ipc.run(`[con_id=${found.containerId}] ${this.#command(found, change)}`);
    if (REDRAWN.has(change.kind)) await pause(REDRAW_MS, signal);
  }

  /** Without what sway does not report: bars, menus and notifications. */
  async at(point: Point): Promise<WindowId | undefined> {
    return findAt(await this.list(), point);
  }

  async changed(signal: AbortSignal): Promise<void> {
    const next = this.#news.wait(signal);
    next.catch(() => {});
    if (this.#following === undefined) {
      await this.#follow();
      return; // no event reported what has changed until now
    }
    await next;
  }

  [Symbol.dispose](): void {
    this.#following?.then((following) => following[Symbol.dispose](), () => {});
    this.#following = undefined;
  }

  /** Until the connection ends: who waits then looks once more, and follows anew. */
  async #follow(): Promise<void> {
    const forget = () => {
      if (this.#following === following) this.#following = undefined;
      this.#news.notify();
    };
    const following = this.#ipc.follow(EVENTS, () => this.#news.notify(), forget);
    this.#following = following;
    try {
      await following;
    } catch (error) {
      forget();
      throw error;
    }
  }

  async #read(): Promise<SwayWindow[]> {
    return readWindows(await this.#trees.run(), this.position());
  }

  /** Waits for new windows to be at their positions, of which sway sends no event. */
  async #readTree(): Promise<Node> {
    const deadline = performance.now() + ARRANGED_MS;
    while (true) {
      const tree = await this.#ipc.request(MESSAGE.getTree, Node);
      if (isArranged(tree) || performance.now() >= deadline) return tree;
      await pause(POLL_INTERVAL_MS);
    }
  }

  #command({ isFloating, window }: SwayWindow, change: WindowChange): string {
    const position = this.position();
    const units = (pixels: number) => toUnits(pixels, position);
    const move = (to: Point) =>
      `move absolute position ${units(to.x) + position.x} ${units(to.y) + position.y}`;
    switch (change.kind) {
      case "focus":
        return "focus";
      case "close":
        return "kill";
      case "restore":
        return "fullscreen disable";
      case "minimize":
      case "maximize":
        throw new ServiceError("unsupported", `sway cannot ${change.kind} windows`);
      case "move":
        if (!isFloating) throw refuseTiled("moves");
        return move(change.to);
      case "resize":
        if (!isFloating) throw refuseTiled("resizes");
        // sway keeps the middle at its position
        return `resize set ${units(change.width)} px ${units(change.height)} px, ` +
          move(window.frame!);
    }
  }
}

function refuseTiled(what: string): ServiceError {
  return new ServiceError(
    "conflict",
    `sway ${what} only floating windows, and this one is tiled: its shortcut for that is usually Super+Shift+Space`,
  );
}

// The windows in the tree that sway answers.

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

interface SwayWindow {
  readonly window: Window;
  readonly containerId: number;
  readonly isFloating: boolean;
}

/**
 * `false` while a new window is not visible yet: sway gives its program up to 200 ms to draw it at
 * its position, and until then reports where it will be, but with a border of "none" and no title.
 */
function isArranged(tree: Node): boolean {
  const { border, rect, window_rect: inner } = tree;
  const lacksBorder = border === "none" && isWindow(tree) &&
    (inner.width !== rect.width || inner.height !== rect.height);
  return !lacksBorder && [...tree.nodes, ...tree.floating_nodes].every(isArranged);
}

/** Topmost first: what fills the screen, then what floats, then what is tiled. */
function readWindows(tree: Node, position: OutputPosition): SwayWindow[] {
  const found: (SwayWindow & { readonly height: number })[] = [];
  const visit = (node: Node, desktop: number | null, isFloating: boolean) => {
    const isWorkspace = node.type === "workspace";
    const number = isWorkspace ? toDesktop(node.num) : desktop;
    if (isWindow(node)) {
      const height = node.fullscreen_mode > 0 ? 2 : isFloating ? 1 : 0;
      const window = describe(node, number, position);
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

function describe(node: Node, desktop: number | null, position: OutputPosition): Window {
  const { rect, window_rect: inner, deco_rect: title } = node;
  const frame = { ...rect, y: rect.y - title.height, height: rect.height + title.height };
  const bounds = {
    x: rect.x + inner.x,
    y: rect.y + inner.y,
    width: inner.width,
    height: inner.height,
  };
  const states: Partial<Record<WindowState, boolean>> = {
    active: node.focused,
    fullscreen: node.fullscreen_mode > 0,
    attention: node.urgent,
    hidden: node.visible === false,
  };
  return {
    id: `con-${node.id}`,
    title: node.name ?? "",
    app: node.app_id ?? node.window_properties?.class ?? null,
    pid: node.pid ?? null,
    bounds: toPixels(bounds, position),
    frame: toPixels(frame, position),
    desktop,
    states: (Object.keys(states) as WindowState[]).filter((state) => states[state]),
  };
}

/** Workspaces without a number have none that could be counted. */
function toDesktop(number: number | null | undefined): number | null {
  return number === null || number === undefined || number < 1 ? null : number - 1;
}
