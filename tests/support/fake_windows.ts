/** The windows of a fake display, kept as state: tests open and close them, and say what their programs refuse. */

import { ServiceError } from "../../src/core/errors.ts";
import type {
  Point,
  Region,
  Window,
  WindowChange,
  WindowId,
  Windows,
  WindowState,
} from "../../src/platform/types/mod.ts";

export type FakeWindow = Partial<Window> & { readonly id: WindowId };

const KINDS = ["focus", "minimize", "maximize", "restore", "close", "move", "resize"] as const;
const DEFAULTS = { x: 100, y: 100, width: 400, height: 300 };
const SCREEN = { x: 0, y: 0, width: 1280, height: 800 };

/** A menu or a hint. */
interface Unlisted {
  readonly id: WindowId;
  readonly pid: number | null;
  readonly bounds: Region;
}

const PLAIN = { title: "", app: null, desktop: null, states: [] } as const;

export class FakeWindows implements Windows {
  readonly changes: ReadonlySet<WindowChange["kind"]> = new Set(KINDS);
  /** Topmost first. */
  shown: Window[] = [];
  /** Windows that no list has, such as menus: what is at a point before all others. */
  unlisted: readonly Unlisted[] = [];
  /** Whether windows do what they are asked. */
  obeys = true;
  readonly #waiting = new Set<() => void>();
  /** Changes that are asked for and have no effect. */
  readonly refused = new Set<WindowChange["kind"]>();
  /** Every change that was asked for. */
  readonly asked: { readonly id: WindowId; readonly change: WindowChange }[] = [];

  /** Shows these windows instead of all others; the first one is on top, and has the keyboard. */
  show(...windows: readonly FakeWindow[]): void {
    this.shown = [];
    for (const window of windows.toReversed()) this.#add(window);
    const top = this.shown.find(({ states }) => !states.includes("minimized"));
    if (top) this.#activate(top.id);
  }

  /** Opens a window on top of the others, with the keyboard. */
  open(given: FakeWindow): Window {
    const window = this.#add(given);
    this.#activate(window.id);
    return window;
  }

  #add(given: FakeWindow): Window {
    const bounds: Region = given.bounds ?? DEFAULTS;
    const window: Window = {
      title: given.id,
      app: null,
      pid: null,
      frame: bounds,
      desktop: 0,
      states: [],
      ...given,
      bounds,
    };
    this.shown.unshift(window);
    return window;
  }

  /** Changes what is true of a window, as its program does. */
  update(id: WindowId, values: Partial<Omit<Window, "id">>): void {
    this.shown = this.shown.map((each) => each.id === id ? { ...each, ...values } : each);
    this.#tell();
  }

  close(id: WindowId): void {
    this.shown = this.shown.filter((each) => each.id !== id);
    this.#tell();
  }

  list(): Promise<readonly Window[]> {
    return Promise.resolve([...this.shown]);
  }

  active(): Promise<Window | null> {
    const active = this.shown.find(({ states }) => states.includes("active"));
    return Promise.resolve(active ?? null);
  }

  find(id: WindowId): Promise<Window> {
    const found = this.shown.find((each) => each.id === id);
    if (found) return Promise.resolve(found);
    const unlisted = this.unlisted.find((each) => each.id === id);
    if (unlisted) return Promise.resolve({ ...PLAIN, frame: unlisted.bounds, ...unlisted });
    return Promise.reject(new ServiceError("not_found", `There is no window "${id}"`));
  }

  async change(id: WindowId, change: WindowChange): Promise<void> {
    const window = await this.find(id);
    this.asked.push({ id, change });
    if (this.obeys && !this.refused.has(change.kind)) this.#apply(window, change);
  }

  at({ x, y }: Point): Promise<WindowId | undefined> {
    const isAt = (area: Region | null) =>
      area !== null && x >= area.x && y >= area.y &&
      x < area.x + area.width && y < area.y + area.height;
    const open = this.shown.filter(({ states }) => !states.includes("minimized"));
    const found = this.unlisted.find(({ bounds }) => isAt(bounds)) ??
      open.find(({ frame }) => isAt(frame));
    return Promise.resolve(found?.id);
  }

  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      this.#waiting.add(resolve);
      signal.addEventListener("abort", () => {
        this.#waiting.delete(resolve);
        reject(signal.reason);
      });
    });
  }

  #apply(window: Window, change: WindowChange): void {
    const { id, bounds, states } = window;
    const without = (...gone: WindowState[]) => states.filter((each) => !gone.includes(each));
    const place = (region: Region) => this.update(id, { bounds: region, frame: region });
    if (change.kind === "focus") this.#raise(id);
    if (change.kind === "close") this.close(id);
    if (change.kind === "move") place({ ...bounds!, ...change.to });
    if (change.kind === "resize") {
      place({ ...bounds!, width: change.width, height: change.height });
    }
    if (change.kind === "minimize") {
      this.update(id, { states: ["minimized", ...without("active")] });
    }
    if (change.kind === "maximize") {
      this.update(id, { bounds: SCREEN, frame: SCREEN, states: [...states, "maximized"] });
    }
    if (change.kind === "restore") {
      this.update(id, { states: without("minimized", "maximized", "fullscreen") });
    }
  }

  #raise(id: WindowId): void {
    const [first, rest] = [
      this.shown.filter((each) => each.id === id),
      this.shown.filter((each) => each.id !== id),
    ];
    this.shown = [...first, ...rest];
    this.#activate(id);
  }

  #activate(id: WindowId): void {
    this.shown = this.shown.map((each): Window => {
      const others = each.states.filter((state) => state !== "active");
      return each.id !== id
        ? { ...each, states: others }
        : { ...each, states: ["active", ...others.filter((state) => state !== "minimized")] };
    });
    this.#tell();
  }

  #tell(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
