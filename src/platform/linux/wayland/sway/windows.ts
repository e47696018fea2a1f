/** The windows of sway, as its own interface tells and changes them. */

import { pause } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import type { Point, Window, WindowChange, WindowId, Windows } from "../../../types/mod.ts";
import { SharedRun } from "../../../../core/shared_run.ts";
import { WindowChanges } from "../window_changes.ts";
import { MESSAGE, SwayIpc } from "./ipc.ts";
import { closedWindow, findAt, type OutputPlace, toUnits } from "../window_place.ts";
import { isArranged, parseTree, readWindows, type SwayWindow, type Tree } from "./tree.ts";

const EVENTS = ["window", "workspace", "output"];
/** By then sway shows a new window, whatever its program does; two can come one after the other. */
const ARRANGED_MS = 500;
const LOOK_MS = 10;
/**
 * How long sway may show a window as it was, and give it the mouse as it was, after a change of its size:
 * it waits for the program to draw, and does not tell when it has.
 */
const REDRAW_MS = 200;
/** Changes of the size. */
const REDRAWN: ReadonlySet<WindowChange["kind"]> = new Set(["resize", "restore"]);

export class SwayWindows implements Windows, Disposable {
  readonly changes: ReadonlySet<WindowChange["kind"]> = new Set(
    ["focus", "restore", "close", "move", "resize"] as const,
  );
  readonly #ipc: SwayIpc;
  /** One tree for all who ask at the same time. */
  readonly #trees = new SharedRun(() => this.#readTree());
  readonly #news = new WindowChanges();
  #following: Promise<Disposable> | undefined;

  /** @param place of the output whose pixels count */
  constructor(path: string, private readonly place: () => OutputPlace) {
    this.#ipc = new SwayIpc(path);
  }

  async list(): Promise<readonly Window[]> {
    return (await this.#read()).map(({ window }) => window);
  }

  async active(): Promise<Window | null> {
    return (await this.list()).find(({ states }) => states.includes("active")) ?? null;
  }

  async find(id: WindowId): Promise<Window> {
    return (await this.#find(id)).window;
  }

  async change(id: WindowId, change: WindowChange, signal: AbortSignal): Promise<void> {
    const found = await this.#find(id);
    await this.#ipc.run(`[con_id=${found.containerId}] ${this.#command(found, change)}`);
    if (REDRAWN.has(change.kind)) await pause(REDRAW_MS, signal);
  }

  /** Without what sway does not tell: bars, menus and notifications. */
  async at(point: Point): Promise<WindowId | undefined> {
    return findAt(await this.list(), point);
  }

  async changed(signal: AbortSignal): Promise<void> {
    const next = this.#news.next(signal);
    next.catch(() => {});
    if (this.#following === undefined) {
      await this.#follow();
      return; // what has changed until now was not heard
    }
    await next;
  }

  [Symbol.dispose](): void {
    this.#following?.then((following) => following[Symbol.dispose](), () => {});
    this.#following = undefined;
  }

  async #follow(): Promise<void> {
    const following = this.#ipc.follow(EVENTS, () => this.#news.tell());
    this.#following = following;
    try {
      await following;
    } catch (error) {
      this.#following = undefined;
      throw error;
    }
  }

  async #read(): Promise<SwayWindow[]> {
    return readWindows(await this.#trees.run(), this.place());
  }

  /** Waits for new windows to be in their places, of which sway sends no event. */
  async #readTree(): Promise<Tree> {
    const deadline = performance.now() + ARRANGED_MS;
    while (true) {
      const tree = parseTree(await this.#ipc.ask(MESSAGE.getTree));
      if (isArranged(tree) || performance.now() >= deadline) return tree;
      await pause(LOOK_MS);
    }
  }

  async #find(id: WindowId): Promise<SwayWindow> {
    const found = (await this.#read()).find(({ window }) => window.id === id);
    if (found) return found;
    throw closedWindow(id);
  }

  #command({ isFloating, window }: SwayWindow, change: WindowChange): string {
    const place = this.place();
    const units = (pixels: number) => toUnits(pixels, place);
    const move = (to: Point) =>
      `move absolute position ${units(to.x) + place.x} ${units(to.y) + place.y}`;
    switch (change.kind) {
      case "focus":
        return "focus";
      case "close":
        return "kill";
      case "restore":
        return "fullscreen disable";
      case "minimize":
      case "maximize":
        throw new ServiceError("unsupported", `sway has no way to ${change.kind} windows`);
      case "move":
        if (!isFloating) throw refuseTiled("moves");
        return move(change.to);
      case "resize":
        if (!isFloating) throw refuseTiled("resizes");
        // sway keeps the middle in its place
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
