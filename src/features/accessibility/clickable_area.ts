/** Finds where an element can be clicked: a point that shows it and nothing else. */

import { poll } from "../../core/deadline.ts";
import { hasCode, ignoreCode, ServiceError } from "../../core/errors.ts";
import { shortOrMark } from "../../core/texts.ts";
import { contains, overlap } from "../../imaging/boxes.ts";
import type {
  Accessibility,
  Display,
  Element,
  Point,
  Region,
  Window,
  WindowId,
  Windows,
} from "../../platform/types/mod.ts";
import { describeElement } from "./outline.ts";

/** Where an element belongs on the display. */
export interface ElementViewport {
  /** Its window, where the system says which one. */
  readonly window: WindowId | undefined;
  /** The part of the display in which it can be visible. */
  readonly view: Region;
}

export interface Wanted {
  readonly accessibility: Accessibility;
  readonly display: Display;
  readonly viewport: ElementViewport;
  readonly element: Element;
  /** What of the element lies in the view. */
  readonly area: Region;
  /** Replaces stored values in the name of what covers it. */
  readonly redact: (name: string) => Promise<string>;
}

export type ClickableArea = { readonly point: Point; readonly area: Region } | Occlusion;

interface Occlusion {
  /** For messages: `the window "Untitled"`. */
  readonly coveredBy: string;
  /** Whether that is another window, so that scrolling changes nothing. */
  readonly byWindow: boolean;
  /** Whether nothing covers it: what scrolls around it does not show this part. */
  readonly isScrolledAway?: true;
}

/** Where in the area is tried after its middle, as parts of its width and height. */
const ELSEWHERE = [[1, 1], [3, 1], [1, 3], [3, 3]] as const;

/** Programs select a row that they scroll to, and nothing else any more. */
const ROW = /^(cell|treeitem)$/;

/**
 * The middle of the area; where that is covered, the middle of an uncovered quarter.
 * @param canScroll whether it can be scrolled into view where its middle is not: a quarter can be on an edge
 */
export async function findUncovered(
  wanted: Wanted,
  canScroll: boolean,
  signal: AbortSignal,
): Promise<ClickableArea> {
  const { area, element } = wanted;
  const point = element.role === "spinbutton" ? textOf(area) : middleOf(area);
  const cover = await findOcclusion(wanted, point, signal);
  if (cover === undefined) return { point, area };
  if (cover.isScrolledAway && canScroll && !ROW.test(element.role)) return cover;
  for (const [right, down] of ELSEWHERE) {
    const quarter = quarterAround(area, right, down);
    const other = middleOf(quarter);
    if (await findOcclusion(wanted, other, signal) !== undefined) continue;
    return { point: other, area: quarter };
  }
  return cover;
}

/** Whether enough of it is visible to be clicked. */
export function isInView({ bounds, states }: Element, view: Region): boolean {
  if (!bounds || states.has("offscreen")) return false;
  const { x, y } = middleOf(bounds);
  // larger than the view: enough of it is visible if its middle is
  return contains(view, bounds) || contains(view, { x, y, width: 1, height: 1 });
}

export function sameBounds(a: Region | undefined, b: Region | undefined): boolean {
  return a !== undefined && b !== undefined && a.x === b.x && a.y === b.y &&
    a.width === b.width && a.height === b.height;
}

function middleOf({ x, y, width, height }: Region): Point {
  return { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
}

/** Where a number stands; the buttons beside it can reach over the middle. */
function textOf({ x, y, width, height }: Region): Point {
  return { x: x + Math.floor(width / 4), y: y + Math.floor(height / 2) };
}

function quarterAround({ x, y, width, height }: Region, right: 1 | 3, down: 1 | 3): Region {
  const size = {
    width: Math.max(1, Math.floor(width / 2)),
    height: Math.max(1, Math.floor(height / 2)),
  };
  return {
    ...size,
    x: right === 1 ? x : x + width - size.width,
    y: down === 1 ? y : y + height - size.height,
  };
}

/** Elements that popups consist of, which programs put among those of the window below. */
const IN_POPUPS = /^(menu.*|listbox|option|list|listitem|tree|treeitem)$/;

/** What is in front of the element at a point; `undefined` if nothing is. */
async function findOcclusion(
  wanted: Wanted,
  point: Point,
  signal: AbortSignal,
): Promise<Occlusion | undefined> {
  const { display: { windows }, viewport, element } = wanted;
  const top = windows.ready ? await windows.use.at(point, signal) : undefined;
  if (top === undefined || top === viewport.window) {
    return await findOcclusionInProgram(wanted, point, { isPopup: false }, signal);
  }
  const window = await findWindow(wanted, top, signal);
  if (window && (window.isListed && viewport.window !== undefined || isOfOther(window, element))) {
    const coveredBy = window.title === ""
      ? "another window"
      : `the window ${JSON.stringify(await wanted.redact(window.title))}`;
    return { coveredBy, byWindow: true };
  }
  if (window && isInMenu(window, element)) return undefined;
  // programs name what is below an open menu, as if nothing covered it
  if (
    window && !window.isListed && viewport.window !== undefined && !IN_POPUPS.test(element.role)
  ) {
    return { coveredBy: "an open menu or another popup", byWindow: true };
  }
  return await findOcclusionInProgram(wanted, point, { isPopup: true }, signal);
}

/** Programs report what is below an open menu instead of its items. */
function isInMenu({ isListed, bounds }: WindowBelowPoint, element: Element): boolean {
  if (isListed || !bounds || !element.bounds || !/^menu/.test(element.role)) return false;
  return contains(bounds, element.bounds);
}

const SCROLLED_AWAY: Occlusion = {
  coveredBy: "the edge of what scrolls around it",
  byWindow: false,
  isScrolledAway: true,
};

/** Queries the program; of a popup, which no list of windows has, it must show this very element. */
async function findOcclusionInProgram(
  { accessibility, element, redact }: Wanted,
  point: Point,
  { isPopup }: { readonly isPopup: boolean },
  signal: AbortSignal,
): Promise<Occlusion | undefined> {
  const visible = await accessibility.elementAt(point, element.id, signal);
  if (visible === undefined) {
    return isPopup ? { coveredBy: "another window", byWindow: true } : undefined;
  }
  if (visible === null) return SCROLLED_AWAY;
  if (visible === element.id) return undefined;
  if (await accessibility.contains(element.id, visible, signal)) return undefined;
  // a program may know no more than what is around it
  if (!isPopup && await accessibility.contains(visible, element.id, signal)) return undefined;
  const [cover] = await accessibility.refresh([visible], signal);
  // Qt makes another object of the row of a tree whenever it is queried
  if (cover && isAlike(cover, element)) return undefined;
  const coveredBy = cover
    ? `the ${describeElement({ role: cover.role, name: await redact(cover.name) })}`
    : "another element";
  return { coveredBy, byWindow: isPopup };
}

/** What is the same at the same position covers nothing. */
function isAlike(a: Element, b: Element): boolean {
  return a.name !== "" && a.role === b.role && a.name === b.name && sameBounds(a.bounds, b.bounds);
}

interface WindowBelowPoint extends Window {
  readonly isListed: boolean;
}

/** Menus and hints are windows, too, and in no list. */
async function findWindow(
  { display: { windows } }: Wanted,
  id: WindowId,
  signal: AbortSignal,
): Promise<WindowBelowPoint | undefined> {
  if (!windows.ready) return undefined;
  const listed = (await windows.use.list(signal)).find((window) => window.id === id);
  if (listed) return { ...listed, isListed: true };
  const unlisted = await ignoreCode("not_found", () => windows.use.find(id, signal));
  return unlisted && { ...unlisted, isListed: false };
}

function isOfOther({ pid }: Window, element: Element): boolean {
  return pid !== null && element.pid !== undefined && pid !== element.pid;
}

// The window of an element: where it is visible, and whether it has the keyboard focus, without
// which no key arrives.

/**
 * The window of an element, or the popup in which it is, and the part of the display in which it
 * can be visible.
 * @throws ServiceError `conflict`: the window is closed or minimized
 */
export async function findElementViewport(
  { size, windows }: Display,
  { window, description }: InWindow,
  { popup }: Pick<Element, "popup">,
  signal: AbortSignal,
): Promise<ElementViewport> {
  const id = popup ?? window; // a popup is visible also beyond the edge of its window
  const screen = { x: 0, y: 0, ...size };
  if (id === undefined || !windows.ready) return { window: id, view: screen };
  const found = await unlessClosed(windows.use.find(id, signal), description);
  if (found.states.includes("minimized")) {
    const title = JSON.stringify(shortOrMark(found.title));
    const message = `The ${description} is not visible: its window ${title} is minimized`;
    throw new ServiceError("conflict", message);
  }
  return { window: id, view: overlap(found.bounds ?? screen, screen) ?? screen };
}

/** How long a window manager has to follow, in milliseconds. */
const ACTIVATION_TIMEOUT_MS = 1_000;
const POLL_INTERVAL_MS = 15;

interface InWindow {
  readonly window: WindowId | undefined;
  /** For messages. */
  readonly description: string;
}

/**
 * Resolves when the window of the element is the active one; at once where the system does not say
 * which window that is.
 * @throws ServiceError `conflict`: it is closed, or does not become the active one
 */
export async function activateWindow(
  { windows }: Display,
  { window, description }: InWindow,
  signal: AbortSignal,
): Promise<void> {
  if (window === undefined || !windows.ready) return;
  if (await isActive(windows.use, window, signal)) return;
  if (!windows.use.changes.has("focus")) {
    throw new ServiceError(
      "conflict",
      `The window of the ${description} is not active, and this system does not allow other programs to activate it`,
    );
  }
  await unlessClosed(windows.use.change(window, { kind: "focus" }, signal), description);
  const polling = { everyMs: POLL_INTERVAL_MS, timeoutMs: ACTIVATION_TIMEOUT_MS, signal };
  if (await poll(() => isActive(windows.use, window, signal), polling)) return;
  throw new ServiceError(
    "conflict",
    `The window of the ${description} did not become active within ${ACTIVATION_TIMEOUT_MS} ms`,
  );
}

async function isActive(windows: Windows, id: WindowId, signal: AbortSignal): Promise<boolean> {
  return (await windows.active(signal))?.id === id;
}

async function unlessClosed<T>(requested: Promise<T>, description: string): Promise<T> {
  try {
    return await requested;
  } catch (error) {
    if (!hasCode(error, "not_found")) throw error;
    throw new ServiceError(
      "conflict",
      `The window of the ${description} has been closed: take a new snapshot and use its refs`,
    );
  }
}
