/** Which top elements of programs are which windows of the display. */

import { ServiceError } from "../../../core/errors.ts";
import type { Point, Region } from "../../../core/geometry.ts";
import { contains } from "../../../imaging/boxes.ts";
import type { TreeScope } from "../../types/mod.ts";
import type { Program } from "./client.ts";
import type { Toolkit } from "./describe.ts";
import type { KnownPopup, KnownWindow, Origin } from "./accessibility.ts";
import { type Node, shows } from "./node.ts";
import { hasState, roleName } from "./states.ts";

/** A program that answers, and its windows. */
export interface OpenProgram {
  readonly program: Program;
  readonly toolkit: Toolkit;
  readonly frames: readonly Node[];
}

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

/** The windows that can be those of a process. */
export function windowsOf(
  pid: number | undefined,
  windows: readonly KnownWindow[] | null,
): readonly KnownWindow[] {
  return windows?.filter((each) => each.pid === null || each.pid === pid) ?? [];
}

/** Where top elements are on the display; empty where their programs do not say it. */
export type FrameBounds = ReadonlyMap<Node, Region | undefined>;

/** The top elements of a program that a scope asks for. */
export function chooseFrames(
  { program, frames, toolkit }: Pick<OpenProgram, "program" | "frames" | "toolkit">,
  { scope, hidden, windows, frameBounds }: {
    readonly scope: TreeScope;
    readonly hidden: boolean;
    readonly windows: readonly KnownWindow[] | null;
    /** Those of namesakes. */
    readonly frameBounds: FrameBounds;
  },
): Frame[] {
  const own = windowsOf(program.pid, windows);
  const matched = matchWindows(frames, own, frameBounds);
  // GTK 4 says nothing of some dialogs but that they are visible, such as those for files
  const isDialog = (node: Node) =>
    toolkit.isGtk4 && roleName(node.role) === "filler" && matched.has(node) &&
    shows(node, "visible");
  const candidates = frames.filter((node) => hidden || isDialog(node) || isShowing(node)).map((
    node,
  ): Frame => ({ node, isWindow: true, window: matched.get(node) }));
  if (scope === "all windows") return candidates;
  const wanted = findWindow(scope, windows);
  if (wanted === undefined) return candidates.filter(({ node }) => hasState(node.states, "active"));
  if (!candidates.some(({ window }) => window === wanted)) {
    return scope === "focused window"
      ? candidates.filter((each) => isActiveNamesake(each, wanted))
      : [];
  }
  return candidates.filter(({ node, window }) =>
    window === wanted || window === undefined &&
      (POPUPS.includes(roleName(node.role)) || wanted.isActive && isUnlisted(node, own, toolkit))
  );
}

export function isShowing(node: Node): boolean {
  return shows(node, "showing") && !hasState(node.states, "iconified");
}

/** Whether a top element of Chromium is a menu or a bubble, which no list has; windows have titles there. */
export function isUnlisted(
  { name, role }: Node,
  windows: readonly KnownWindow[],
  { isChromium }: Toolkit,
): boolean {
  return isChromium && (name === "" || roleName(role) === "dialog") &&
    windows.every(({ title }) => title !== name);
}

/** Its program knows which one of them has the keyboard, where nobody knows which window it is. */
function isActiveNamesake({ node, window }: Frame, { title }: KnownWindow): boolean {
  return window === undefined && node.name === title && hasState(node.states, "active");
}

/**
 * By title, namesakes by title and position, else the only ones that are left. Never guesses between
 * namesakes: windows come topmost first, and top elements in an order of their program.
 */
export function matchWindows(
  frames: readonly Node[],
  windows: readonly KnownWindow[],
  frameBounds: FrameBounds = new Map(),
): ReadonlyMap<Node, KnownWindow> {
  const matched = new Map<Node, KnownWindow>();
  for (const node of frames) {
    const { nodes, titled } = findAlike(node, frames, windows);
    const window = nodes.length === 1 && titled.length === 1
      ? titled[0]
      : findByBounds(node, { nodes, titled, frameBounds });
    if (window !== undefined && nodes.includes(node)) matched.set(node, window);
  }
  const unmatched = frames.filter((node) =>
    !POPUPS.includes(roleName(node.role)) && hasState(node.states, "visible") &&
    !windows.some(({ title }) => title === node.name)
  );
  const left = windows.filter(({ title }) => !frames.some(({ name }) => name === title));
  if (unmatched.length === 1 && left.length === 1) matched.set(unmatched[0]!, left[0]!);
  return matched;
}

/** The top elements that a title alone does not tell from others. */
export function findNamesakes(
  frames: readonly Node[],
  windows: readonly KnownWindow[],
): readonly Node[] {
  return frames.filter((node) => {
    const { nodes, titled } = findAlike(node, frames, windows);
    return nodes.length > 1 && titled.length > 0 || titled.length > 1;
  });
}

interface Alike {
  /** Those that its program shows, where it shows one. */
  readonly nodes: readonly Node[];
  readonly titled: readonly KnownWindow[];
}

function findAlike(
  { name }: Node,
  frames: readonly Node[],
  windows: readonly KnownWindow[],
): Alike {
  const all = frames.filter((each) => each.name === name);
  const visible = all.filter(({ states }) => hasState(states, "visible"));
  return {
    nodes: visible.length > 0 ? visible : all,
    titled: windows.filter(({ title }) => title === name),
  };
}

/** The only namesake at the position of a top element that is the only one there. */
function findByBounds(
  node: Node,
  { nodes, titled, frameBounds }: Alike & { readonly frameBounds: FrameBounds },
): KnownWindow | undefined {
  const isAt = (each: Node, { bounds, frame }: KnownWindow) => {
    const position = frameBounds.get(each);
    return position !== undefined &&
      [bounds, frame].some((region) => region !== null && isSameBounds(region, position));
  };
  const [window, ...others] = titled.filter((each) => isAt(node, each));
  if (window === undefined || others.length > 0) return undefined;
  return nodes.filter((each) => isAt(each, window)).length === 1 ? window : undefined;
}

// Menus, panels and hints that are windows by themselves, and the objects of programs that fill them.

interface Filling {
  /** As its program says them. */
  readonly extents: Region | undefined;
  /** Those of the object around it. */
  readonly parent: Region | undefined;
  /** How far it shows from there, as a part of what is around it. */
  readonly shift: Point | undefined;
}

interface Filled {
  readonly popup: KnownPopup;
  /** How far it, and what is inside it, shows from where its program says. */
  readonly shift: Point;
}

/** Those of a process. */
export function popupsOf(
  pid: number | undefined,
  popups: readonly KnownPopup[] | null,
): readonly KnownPopup[] {
  return popups?.filter((each) => each.pid !== null && each.pid === pid) ?? [];
}

/** The popup that an object fills; never a guess between two. */
export function findFilled(
  { extents, parent, shift }: Filling,
  { toolkit, popups }: { readonly toolkit: Toolkit; readonly popups: readonly KnownPopup[] },
): Filled | undefined {
  if (extents === undefined || popups.length === 0) return undefined;
  const position = shift && moved(extents, shift);
  const there = position &&
    popups.find(({ bounds }) =>
      isSameBounds(bounds, position) || toolkit.isQt && isInFrame(bounds, position)
    );
  if (shift && there) return { popup: there, shift };
  // GTK 4 says that a popover begins where the element does to which it belongs
  const isThere = toolkit.isGtk4 && parent?.x === extents.x && parent.y === extents.y;
  const [popup, ...others] = popups.filter(({ bounds }) => isThere && isSameSize(bounds, extents));
  if (popup === undefined || others.length > 0) return undefined;
  return { popup, shift: difference(popup.bounds, extents) };
}

/** The most that Qt draws around the list of a combo box, in pixels. */
const QT_FRAME = 4;

function isInFrame(popup: Region, inside: Region): boolean {
  return contains(popup, inside) &&
    popup.width - inside.width <= 2 * QT_FRAME && popup.height - inside.height <= 2 * QT_FRAME;
}

// How far the positions that programs report are from those on the display: GTK 4 counts from the
// corner of its window, as every program does on Wayland, and LibreOffice puts what is below its
// menu bar where that bar is.

export const NO_SHIFT: Point = { x: 0, y: 0 };

/** The widest shadow that a program draws around its window, on both sides together, in pixels. */
const WIDEST_SHADOW = 120;

interface TopElement {
  /** As its program says them. */
  readonly extents: Region | undefined;
  /** `undefined` where it is not known. */
  readonly window: KnownWindow | undefined;
}

/** `undefined` where nobody says where the window is. */
export function shiftOfWindow(
  { extents, window }: TopElement,
  { toolkit, origin }: { readonly toolkit: Toolkit; readonly origin: Origin },
): Point | undefined {
  if (origin === "display" && !toolkit.isGtk4) return NO_SHIFT;
  if (extents === undefined || !window?.bounds) return undefined;
  const { bounds, frame } = window;
  const same = [frame, bounds].find((each) => each && isSameSize(each, extents));
  if (same) return difference(same, extents);
  const x = bounds.width - extents.width;
  const y = bounds.height - extents.height;
  if (Math.max(Math.abs(x), Math.abs(y)) > WIDEST_SHADOW) return undefined; // in other units
  // a shadow or an edge of the same width on both sides
  const inside = { x: bounds.x + Math.round(x / 2), y: bounds.y + Math.round(y / 2) };
  return difference(inside, extents);
}

/** What is added to the shift of the parent. */
export function shiftInside(
  extents: Region | undefined,
  { isLibreOffice }: Toolkit,
  parent: Region | undefined,
): Point {
  if (!isLibreOffice || !extents || !parent || !isSameSize(parent, extents)) return NO_SHIFT;
  return difference(parent, extents); // it fills the parent
}

export function addShift(a: Point, b: Point): Point {
  return b.x === 0 && b.y === 0 ? a : { x: a.x + b.x, y: a.y + b.y };
}

export function moved(region: Region, { x, y }: Point): Region {
  return x === 0 && y === 0 ? region : { ...region, x: region.x + x, y: region.y + y };
}

function isSameSize(a: Region, b: Region): boolean {
  return Math.abs(a.width - b.width) <= 1 && Math.abs(a.height - b.height) <= 1;
}

function isSameBounds(a: Region, b: Region): boolean {
  return isSameSize(a, b) && Math.abs(a.x - b.x) <= 1 && Math.abs(a.y - b.y) <= 1;
}

function difference(a: Point, b: Point): Point {
  return { x: a.x - b.x, y: a.y - b.y };
}
