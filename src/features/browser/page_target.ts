/** Elements of pages as input operations aim at them: on the display, under nothing else. */

import { pause, poll } from "../../core/deadline.ts";
import { FieldError, ServiceError } from "../../core/errors.ts";
import type { Point } from "../../core/geometry.ts";
import { identifyText } from "../../core/texts.ts";
import { contains } from "../../imaging/boxes.ts";
import type {
  BrowserJobName,
  BrowserJobs,
  Display,
  ElementOnScreen,
  PageElement,
  PageWindow,
  Region,
  Window,
} from "../../platform/types/mod.ts";
import type { CallServices, Context } from "../context.ts";
import {
  type ClickAt,
  conflictOf,
  type MoveTo,
  Refs,
  type RefTarget,
  type Revealed,
  type TextUse,
} from "../input/targets/refs.ts";
import { redactText } from "../secrets/redact_texts.ts";
import { inBrowser } from "./in_browser.ts";

/** The browser of the service is on this display. */
const DISPLAY = 1;
/** How long a window manager may take to make a window active. */
const ACTIVE_MS = 1_000;
/** How long a browser may take to give the keyboard to its page, before that is clicked. */
const FOCUS_TIMEOUT_MS = 100;
const POLL_INTERVAL_MS = 20;
/** How long a page may take to have a move of the mouse: the first one, and those after it. */
const MOUSE_MS = [150, 600, 1_000];
/** How long a page may take to know where its window is now. */
const WINDOW_SETTLE_MS = 1_000;
/** What a click gives the focus, and nothing else happens. */
const FIELDS: ReadonlySet<string> = new Set(["textbox", "searchbox", "spinbutton"]);

export class PageTarget implements RefTarget {
  readonly displayNum = DISPLAY;

  readonly #used: CallServices;

  /** @param description the element in messages, without stored values: `button "Save"` */
  constructor(
    { platform, config, session }: CallServices,
    readonly element: PageElement,
    readonly description: string,
  ) {
    // not the context, which would keep its request in memory
    this.#used = { platform, config, session };
  }

  get key(): string {
    const { target, loader, node, role, name, texts } = this.element;
    // a ref must not become one of what the element has turned into
    return identifyText(`page ${JSON.stringify([target, loader, node, role, name, texts])}`);
  }

  async reveal(signal: AbortSignal, use?: "click"): Promise<Revealed> {
    const display = await this.#used.platform.displays.open(DISPLAY);
    const reported = await this.#settledPosition(display, signal, use);
    const position = display.origin === "window"
      ? await this.#inWindow(display, reported, signal)
      : reported;
    const { area, middle, scrolled } = position;
    if (!contains({ x: 0, y: 0, ...display.size }, { ...middle, width: 1, height: 1 })) {
      throw conflictOf(
        this,
        "is off the screen, as its window is: move the window onto the display",
      );
    }
    await this.#checkUncovered(display, position, signal);
    return { area, middle, scrolled };
  }

  /** A field is clicked where its window or the browser does not give it the keyboard otherwise. */
  async focus(signal: AbortSignal, click: ClickAt, use?: TextUse): Promise<void> {
    const isActive = await this.#activateWindow(signal);
    const hasKeyboard = async () => await isActive() && await this.#hasFocus(signal);
    const hasKeyboardSoon = async (timeoutMs: number) =>
      await poll(hasKeyboard, { everyMs: POLL_INTERVAL_MS, timeoutMs, signal });
    await this.#run("focus", { use }, signal);
    const isField = FIELDS.has(this.element.role);
    if (await hasKeyboardSoon(isField ? FOCUS_TIMEOUT_MS : ACTIVE_MS)) return;
    if (isField) {
      await click((await this.reveal(signal, "click")).middle);
      await this.#run("focus", { use }, signal);
      if (await hasKeyboardSoon(ACTIVE_MS)) return;
    }
    throw conflictOf(
      this,
      "does not have the keyboard focus, which is in another window, in the browser itself (its address bar, for example) or elsewhere in the page: click into the page first",
    );
  }

  async checkFocus(signal: AbortSignal): Promise<void> {
    if (await this.#hasFocus(signal)) return;
    throw conflictOf(this, "has lost the keyboard focus: nothing more was typed");
  }

  async enterSecret(text: string, clear: boolean, signal: AbortSignal): Promise<void> {
    await this.#run("enterSecret", { text, clear }, signal);
  }

  /**
   * The page reports whether it has the mouse: a browser draws its bubbles into its own window, so that
   * no other program sees them.
   */
  async checkMouse(at: Point, move: MoveTo, signal: AbortSignal, use?: "click"): Promise<void> {
    await this.#run("watchMouse", {}, signal);
    await move(at);
    for (const timeMs of MOUSE_MS) {
      if (
        await this.#run("sawMouse", { timeMs, isLast: timeMs === MOUSE_MS.at(-1), use }, signal)
      ) {
        return;
      }
      await move({ x: at.x + (at.x > 0 ? -1 : 1), y: at.y }); // it can have been there before
      await move(at);
    }
    const cover = "a part of the browser itself, such as a bubble or a menu";
    throw conflictOf(this, `is covered by ${cover}: close that`);
  }

  async checkPress(signal: AbortSignal): Promise<void> {
    await this.#run("sawPress", {}, signal);
  }

  async #hasFocus(signal: AbortSignal): Promise<boolean> {
    return await this.#run("hasFocus", {}, signal);
  }

  async #run<N extends BrowserJobName>(
    name: N,
    how: Omit<BrowserJobs[N][0], "element">,
    signal: AbortSignal,
  ): Promise<BrowserJobs[N][1]> {
    const input = { element: this.element, ...how } as BrowserJobs[N][0];
    return await inBrowser({ ...this.#used, signal }, name, input);
  }

  /**
   * While its window moves or gets another size, a page reports its former position. A
   * constant difference is how this desktop reports positions.
   * @throws ServiceError `conflict` when the window does not come to rest
   */
  async #settledPosition(
    display: Display,
    signal: AbortSignal,
    use: "click" | undefined,
  ): Promise<ElementOnScreen> {
    const end = performance.now() + WINDOW_SETTLE_MS;
    let first: string | undefined;
    for (;;) {
      const reported = await this.#run("place", { use }, signal);
      const all = display.windows.ready ? await display.windows.use.list(signal) : [];
      const window = findPageWindow(all, reported.window, display);
      if (!window || agrees(reported, window, display)) return reported;
      const seen = JSON.stringify([window.bounds, reported.window.bounds, reported.viewport]);
      first ??= seen;
      if (performance.now() >= end) {
        if (seen === first) return reported;
        throw new ServiceError(
          "conflict",
          `The window of the ${this.description} is moving: try again`,
        );
      }
      await pause(POLL_INTERVAL_MS, signal);
    }
  }

  /**
   * The position of an element whose page does not know where its window is.
   * @throws ServiceError `conflict` when the system does not report that either
   */
  async #inWindow(
    display: Display,
    reported: ElementOnScreen,
    signal: AbortSignal,
  ): Promise<ElementOnScreen> {
    const all = display.windows.ready ? await display.windows.use.list(signal) : [];
    const window = findPageWindow(all, reported.window, display);
    const position = window?.bounds && positionInWindow(reported, window.bounds);
    if (position) return position;
    throw new ServiceError(
      "conflict",
      `The position of the ${this.description} on the screen is unknown; use the browser operations`,
    );
  }

  /** @throws ServiceError `conflict` when another window is there */
  async #checkUncovered(
    display: Display,
    position: ElementOnScreen,
    signal: AbortSignal,
  ): Promise<void> {
    if (!display.windows.ready) return;
    const windows = display.windows.use;
    const top = await windows.at(position.middle, signal);
    if (top === undefined) return;
    const all = await windows.list(signal);
    if (this.#findWindow(all, position, display).id === top) return;
    const window = all.find(({ id }) => id === top); // a menu is in no list
    const title = window && await redactText({ ...this.#used, signal }, window.title);
    const cover = title === undefined ? "another window" : `the window ${JSON.stringify(title)}`;
    throw conflictOf(this, `is covered by ${cover}: move or close that`);
  }

  /** @throws ServiceError `conflict` when it is unclear which window that is */
  #findWindow(
    all: readonly Window[],
    { window: wanted }: ElementOnScreen,
    display: Display,
  ): Window {
    const window = findPageWindow(all, wanted, display);
    if (window) return window;
    throw new ServiceError(
      "conflict",
      `Cannot determine which window of the display contains the ${this.description}: ` +
        "move or close other windows of the browser, or use the browser operations",
    );
  }

  /**
   * Keys go to the window that is active: that of the element becomes it where the system allows.
   * @returns checks that no other one is active, which a page can fail to know; some systems do not report it
   */
  async #activateWindow(signal: AbortSignal): Promise<() => Promise<boolean>> {
    const position = await this.#run("place", {}, signal);
    const display = await this.#used.platform.displays.open(DISPLAY);
    if (!display.windows.ready) return () => Promise.resolve(true);
    const windows = display.windows.use;
    const { id, states } = this.#findWindow(await windows.list(signal), position, display);
    const findActive = async () => (await windows.active(signal))?.id;
    if (!states.includes("active") && windows.changes.has("focus")) {
      await windows.change(id, { kind: "focus" }, signal);
      const isActive = async () => await findActive() === id;
      await poll(isActive, { everyMs: POLL_INTERVAL_MS, timeoutMs: ACTIVE_MS, signal });
    }
    return async () => [id, undefined].includes(await findActive());
  }
}

/** Whether the page knows where its window is, or, where it cannot know that, its size. */
function agrees(reported: ElementOnScreen, window: Window, { origin }: Display): boolean {
  if (origin !== "window") return isAtReportedPosition(window, reported.window.bounds, origin);
  return window.bounds === null || positionInWindow(reported, window.bounds) !== undefined;
}

/**
 * The element of a page that a ref names.
 * @throws FieldError on `field` for an element of another program; ServiceError `conflict`: the ref
 *   is not known any more
 */
export function findPageElement({ session }: Context, ref: string, field = "ref"): PageElement {
  const target = session.use(Refs).get(ref);
  if (target instanceof PageTarget) return target.element;
  throw new FieldError(field, `"${ref}" is not an element of a page in the browser`);
}

// Positions of elements in pages that do not know where their window is.

/** The widest part of a window beside its page, in pixels: an edge, on both sides together. */
const WIDEST_EDGES = 120;

/**
 * The browser's own controls are above the page; the edges at the sides and below have the same
 * width.
 * @param bounds of the window
 * @returns `undefined` when the page does not fit into that window
 */
function positionInWindow(reported: ElementOnScreen, bounds: Region): ElementOnScreen | undefined {
  const { viewport, area, middle } = reported;
  const edges = bounds.width - viewport.width;
  const edge = Math.round(edges / 2);
  if (edges < -1 || edges > WIDEST_EDGES || viewport.height > bounds.height + 1) return undefined;
  const shift = {
    x: bounds.x + edge - viewport.x,
    y: bounds.y + bounds.height - edge - viewport.height - viewport.y,
  };
  return {
    ...reported,
    viewport: moved(viewport, shift),
    area: moved(area, shift),
    middle: moved(middle, shift),
  };
}

function moved<T extends Point>(position: T, { x, y }: Point): T {
  return { ...position, x: position.x + x, y: position.y + y };
}

// Finds the window of the display that a page is in.

/** Pixels by which rounding and shadows move what a browser reports. */
const TOLERANCE = 8;
const SIZE = ["width", "height"] as const;
const ALL = ["x", "y", ...SIZE] as const;

/**
 * By the process, then the position, then the title: a browser can have several windows, and
 * several can have the same position or title.
 * @returns `undefined` where there is none, or more than one that it can be
 */
function findPageWindow(
  windows: readonly Window[],
  { bounds, title, pid }: PageWindow,
  { origin }: Pick<Display, "origin">,
): Window | undefined {
  const own = windows.filter((each) => pid !== undefined && each.pid === pid);
  const possible = own.length > 0 ? own : windows.filter((each) => !pid || each.pid === null);
  const there = possible.filter((each) => isAtReportedPosition(each, bounds, origin));
  const fits = there.length > 0 ? there : own;
  if (fits.length === 1) return fits[0];
  const named = fits.filter((each) => title !== "" && each.title.startsWith(title));
  return named.length === 1 ? named[0] : undefined;
}

/** Where only the system knows where windows are, the page reports the size alone. */
function isAtReportedPosition(
  { bounds, frame }: Window,
  wanted: Region,
  origin: Display["origin"],
): boolean {
  const sides = origin === "window" ? SIZE : ALL;
  return [bounds, frame].some((each) =>
    each !== null && sides.every((side) => Math.abs(each[side] - wanted[side]) <= TOLERANCE)
  );
}
