/** Where single elements show, for which the elements around them are asked, too. */

import { ServiceError, throwUnless } from "../../../core/errors.ts";
import type { Point } from "../../../core/geometry.ts";
import { contains, overlap } from "../../../imaging/boxes.ts";
import { BusError } from "../bus/types.ts";
import { Budget, isLate } from "./budget.ts";
import { type Address, addressOf, type AtspiClient, type Reference } from "./client.ts";
import { clips, type Toolkit } from "./describe.ts";
import { elementId, resolveElement } from "./element_id.ts";
import type { Asking, KnownPopup, KnownWindow } from "./accessibility.ts";
import {
  fetchChildren,
  fetchExtents,
  fetchNode,
  fetchStates,
  keyOf,
  type Node,
  SCREEN,
} from "./node.ts";
import { fetchFrames } from "./sources.ts";
import { hasState, roleNumber } from "./states.ts";
import {
  addShift,
  findFilled,
  isShowing,
  isUnlisted,
  matchWindows,
  NO_SHIFT,
  popupsOf,
  shiftInside,
  shiftOfWindow,
  windowsOf,
} from "./windows.ts";

interface LocateOptions extends Pick<Asking, "client" | "origin" | "listWindows" | "listPopups"> {
  readonly budget: Budget;
  readonly toolkit: Toolkit;
}

interface Location {
  /** How far the element shows from where its program says. */
  readonly shift: Point;
  /** The popup in which it shows, and the object that fills that. */
  readonly within?: { readonly popup: KnownPopup; readonly filledBy: Address };
  /** The popups that its program shows in front of its window, where the system lists none. */
  readonly unlisted?: readonly Address[];
}

/** Where an element shows; `undefined` where that is not known. */
export async function locate(
  address: Address,
  options: LocateOptions,
): Promise<Location | undefined> {
  const { client, toolkit, budget, origin } = options;
  const [pid, listed] = await Promise.all([
    client.findProcess(address.bus),
    options.listPopups(),
  ]);
  const popups = popupsOf(pid, listed);
  const isReported = origin === "display" && !toolkit.isGtk4 && !toolkit.isLibreOffice;
  if (isReported && popups.length === 0) return { shift: NO_SHIFT };
  const known = (await listAncestors(client, address)).reverse();
  const path = toolkit.isLibreOffice ? await joinTree(known, options) : known;
  const [top] = path;
  if (top === undefined) return isReported ? { shift: NO_SHIFT } : undefined;
  const extents = await Promise.all(path.map((each) => fetchExtents(each, { client, budget })));
  const { node = top, window, unlisted } = await findWindowOf(top, options) ?? {};
  const own = node === top ? extents[0] : await fetchExtents(node, { client, budget });
  let shift = shiftOfWindow({ extents: own, window }, options);
  let within: Location["within"];
  for (const [index, each] of path.entries()) {
    const parent = extents[index - 1];
    shift = shift && addShift(shift, shiftInside(extents[index], toolkit, parent));
    const filled = findFilled({ extents: extents[index], parent, shift }, { toolkit, popups });
    if (filled === undefined) continue;
    shift = filled.shift;
    within = { popup: filled.popup, filledBy: each };
  }
  return shift && { shift, ...(within && { within }), ...(unlisted && { unlisted }) };
}

/** Levels of GTK around what LibreOffice draws by itself, and the children of each that are looked at. */
const AROUND = { levels: 4, children: 20 };

/**
 * LibreOffice names its window as the parent of what it draws, or one of its own that is in no list:
 * only the way down from the windows that are leads there past the menu bar that moves it.
 */
async function joinTree(
  path: readonly Address[],
  { client, budget }: LocateOptions,
): Promise<readonly Address[]> {
  const [top, inside] = path;
  if (top === undefined || inside === undefined) return path;
  const frames = await fetchFrames(client, top.bus, budget);
  const own = frames.filter((each) => keyOf(each) === keyOf(top));
  let level = (own.length > 0 ? own : frames).map((node) => [node]);
  for (let depth = 0; depth < AROUND.levels && level.length > 0; depth++) {
    const next: Node[][] = [];
    for (const around of level) {
      const asked = fetchChildren(client, around.at(-1)!, { max: AROUND.children, budget });
      for (const child of await budget.attempt(asked) ?? []) {
        if (keyOf(child) === keyOf(inside)) return [...around, ...path.slice(1)];
        const node = await budget.attempt(fetchNode(client, child, budget.remaining()));
        if (node) next.push([...around, node]);
      }
    }
    level = next;
  }
  return path;
}

interface WindowOfTop extends Pick<Location, "unlisted"> {
  readonly node: Address;
  readonly window: KnownWindow;
}

/** The window of a top element; of Chromium's popups, which count their places as it does, the active one. */
async function findWindowOf(
  top: Address,
  { client, budget, origin, toolkit, listWindows }: LocateOptions,
): Promise<WindowOfTop | undefined> {
  if (origin === "display" && !toolkit.isGtk4) return undefined;
  const [windows, pid, frames] = await Promise.all([
    listWindows(),
    client.findProcess(top.bus),
    fetchFrames(client, top.bus, budget),
  ]);
  const own = windowsOf(pid, windows);
  const matched = matchWindows(frames, own);
  const popups = frames.filter((each) => !matched.has(each) && isUnlisted(each, own, toolkit));
  const isPopup = popups.some((each) => keyOf(each) === keyOf(top));
  const [node, window] =
    [...matched].find(([each, { isActive }]) => isPopup ? isActive : keyOf(each) === keyOf(top)) ??
      [];
  if (node === undefined || window === undefined) return undefined;
  if (isPopup) return { node, window };
  return { node: top, window, unlisted: window.isActive ? popups.filter(isShowing) : [] };
}

// Which element a program shows at a point, and which lies inside which.

/** Answers that lead to each other without an end. */
const MAX_STEPS = 200;
const TIMEOUT_MS = 1_000;

/**
 * @param near an element of the window
 * @returns `null` where something around `near` scrolls, and ends before the point
 */
export async function findElementAt(
  { x, y }: Point,
  near: string,
  asking: Asking,
): Promise<string | null | undefined> {
  const { client, toolkits, checkStop } = asking;
  const address = await resolveElement(client, near);
  const budget = new Budget(ALL_MS, checkStop);
  const toolkit = await toolkits.find(address.bus, TIMEOUT_MS);
  const asked = { ...asking, budget, toolkit };
  const [ancestors, location] = await Promise.all([
    listAncestors(client, address),
    locate(address, asked),
  ]);
  if (location === undefined) return undefined;
  const { shift, within } = location;
  const at = { x: x - shift.x, y: y - shift.y };
  // windows report what is below their popups
  const popup = within?.filledBy ??
    await findShown(at, await listInFront(ancestors, location, asked), client);
  let found = popup ?? ancestors.at(-1);
  const seen = new Set<string>();
  while (
    found !== undefined && !seen.has(keyOf(found)) && seen.size < MAX_STEPS && !budget.isOver()
  ) {
    seen.add(keyOf(found));
    const next = await askAt(client, found, at);
    if (next === undefined) break;
    found = next;
  }
  const known = found !== undefined && seen.size > 1 ? found : undefined;
  if (known === undefined && !toolkit.isQt) return undefined;
  const index = ancestors.findIndex((each) => known && keyOf(each) === keyOf(known));
  const last = index < 0 && toolkit.isQt ? ancestors.length - 1 : index;
  const around = ancestors.slice(1, Math.max(1, last));
  const scrolling = await listScrolling(around, { client, toolkit });
  if (await endsBefore(at, { address, around: scrolling }, asked)) return null;
  return known && elementId(client.guid, known);
}

/** What a program shows in front of its window, where the system lists no popups. */
async function listInFront(
  ancestors: readonly Address[],
  { unlisted = [] }: Location,
  options: LocateOptions,
): Promise<readonly Address[]> {
  const top = ancestors.at(-1);
  const { isGtk3, isQt } = options.toolkit;
  if (top === undefined || options.origin === "display" || !isGtk3 && !isQt) return unlisted;
  return [...unlisted, ...await listOpenMenus(top, options)];
}

/** Of popups that the system does not list, the one that a program shows at a point; a later one is in front. */
async function findShown(
  at: Point,
  popups: readonly Address[],
  client: AtspiClient,
): Promise<Address | undefined> {
  const inside = await Promise.all(popups.map((each) => askAt(client, each, at)));
  return popups.findLast((_, index) => inside[index] !== undefined);
}

/** What an element says that it shows at a point; programs answer nothing for one without children. */
async function askAt(
  client: AtspiClient,
  element: Address,
  { x, y }: Point,
): Promise<Address | undefined> {
  const answer = await unlessUnresponsive(
    client.call(element, "Component.GetAccessibleAtPoint", TIMEOUT_MS, x, y, SCREEN),
  );
  return answer && addressOf(answer[0] as Reference);
}

const SCROLL_PANE = roleNumber("scroll-pane");

/** Those that can scroll: most programs have the page of a tab inside that, or report what does not scroll. */
async function listScrolling(
  around: readonly Address[],
  { client, toolkit }: Pick<LocateOptions, "client" | "toolkit">,
): Promise<readonly Address[]> {
  if (toolkit.isChromium) return around;
  if (!toolkit.isQt && !toolkit.isGtk3) return [];
  const roles = await Promise.all(around.map((each) => roleOf(client, each)));
  const isScrolling = (role: unknown) =>
    toolkit.isQt ? clips({ role: Number(role) }, toolkit) : role === SCROLL_PANE;
  return around.filter((_, at) => isScrolling(roles[at]));
}

/**
 * Whether one of the elements around `address` does not reach a point: what is inside may lie there,
 * and is not visible. Chromium knows whether any of it shows: what does not touch that, such as a menu
 * beside its submenu, hides nothing.
 */
async function endsBefore(
  point: Point,
  { address, around }: { readonly address: Address; readonly around: readonly Address[] },
  asking: Pick<LocateOptions, "client" | "toolkit" | "budget">,
): Promise<boolean> {
  const extents = await Promise.all(around.map((each) => fetchExtents(each, asking)));
  const ended = extents.flatMap((area) =>
    area && !contains(area, { ...point, width: 1, height: 1 }) ? [area] : []
  );
  if (ended.length === 0 || !asking.toolkit.isChromium) return ended.length > 0;
  const { client, budget } = asking;
  const [states, shown] = await Promise.all([
    budget.attempt(fetchStates(client, address, budget.remaining())),
    fetchExtents(address, asking),
  ]);
  const isShowing = states !== undefined && hasState(states, "showing");
  return !isShowing || shown === undefined || ended.some((area) => overlap(area, shown));
}

/** Whether `inner` is `outer` or lies inside it. */
export async function containsElement(
  outer: string,
  inner: string,
  { client, toolkits }: Asking,
): Promise<boolean> {
  const wanted = await resolveElement(client, outer);
  const path = await listAncestors(client, await resolveElement(client, inner));
  if (path.some((each) => keyOf(each) === keyOf(wanted))) return true;
  const { isLibreOffice } = await toolkits.find(wanted.bus, TIMEOUT_MS);
  return isLibreOffice && await hasSameBounds(client, wanted, path);
}

/** LibreOffice names a cell anew whenever it is asked for: its index among its siblings stays. */
async function hasSameBounds(
  client: AtspiClient,
  wanted: Address,
  path: readonly Address[],
): Promise<boolean> {
  const [, parent] = await listAncestors(client, wanted);
  const at = parent ? path.findIndex((each) => keyOf(each) === keyOf(parent)) : -1;
  if (at < 1) return false;
  const indexes = await Promise.all([wanted, path[at - 1]!].map(async (each) => {
    const asked = client.call(each, "Accessible.GetIndexInParent", TIMEOUT_MS);
    return (await unlessUnresponsive(asked))?.[0];
  }));
  return indexes[0] !== undefined && indexes[0] === indexes[1];
}

// The elements around an element.

/** Elements inside each other; a damaged tree can go round in circles. */
const MAX_DEPTH = 200;
/** How long a program may take for all answers together, in milliseconds. */
const ALL_MS = 3_000;
const APPLICATION = roleNumber("application");
const MENU_ITEM = roleNumber("menu-item");
const COMBO_BOX = roleNumber("combo-box");

/**
 * The element itself, then its ancestors up to that of its window.
 * @throws ServiceError `timed_out`: its program takes too long
 */
export async function listAncestors(client: AtspiClient, address: Address): Promise<Address[]> {
  const all: Address[] = [];
  const end = performance.now() + ALL_MS;
  let current: Address | undefined = address;
  while (current !== undefined && all.length < MAX_DEPTH) {
    const known: Address = current;
    if (performance.now() > end) {
      throw new ServiceError(
        "timed_out",
        "A program did not report the position of its element in time",
      );
    }
    const [role, parent] = await Promise.all([
      roleOf(client, known),
      unlessUnresponsive(client.get(known, "Accessible.Parent", TIMEOUT_MS)),
    ]);
    if (role === undefined || role === APPLICATION) break;
    all.push(known);
    current = parent === undefined ? undefined : addressOf(parent as Reference);
  }
  return all;
}

/** Whether it is an option of a list that opens, which GTK 3 makes of a menu. */
export async function isOptionOfList(
  client: AtspiClient,
  { role, ...address }: Address & { readonly role: number },
): Promise<boolean> {
  if (role !== MENU_ITEM) return false;
  const around = (await listAncestors(client, address)).slice(1);
  return (await Promise.all(around.map((each) => roleOf(client, each)))).includes(COMBO_BOX);
}

/** The number of its role; `undefined` where its program does not tell. */
async function roleOf(client: AtspiClient, address: Address): Promise<unknown> {
  const asked = client.call(address, "Accessible.GetRole", TIMEOUT_MS);
  return (await unlessUnresponsive(asked))?.[0];
}

/** The answer; `undefined` where the program does not give one. */
async function unlessUnresponsive<T>(asked: Promise<T>): Promise<T | undefined> {
  return await asked.catch(throwUnless((error) => error instanceof BusError || isLate(error)));
}

// The open menus of a window's menu bar, for systems that do not list popups.

/** How far below its window a menu bar can be. */
const BAR_LEVELS = 3;
/** Menus inside each other; a damaged tree can go round in circles. */
const MENU_LEVELS = 10;
/** Objects of each that are looked at. */
const MAX_INSIDE = 50;
const MENU_BAR = roleNumber("menu-bar");

/** From the outer ones to those inside them. */
async function listOpenMenus(top: Address, options: LocateOptions): Promise<Address[]> {
  const isBar = ({ role }: Node) => role === MENU_BAR;
  let level = await fetchNodes([top], options);
  for (let depth = 0; depth < BAR_LEVELS && !level.some(isBar); depth++) {
    const inside = await Promise.all(level.map((each) => listShown(each, options)));
    level = await fetchNodes(inside.flat(), options);
  }
  level = level.filter(isBar);
  const open: Address[] = [];
  for (let depth = 0; depth < MENU_LEVELS && level.length > 0; depth++) {
    const inside = await Promise.all(level.map((each) => listShown(each, options)));
    open.push(...level.filter((each, at) => !isBar(each) && inside[at]!.length > 0));
    // GTK 3 selects the menus that are open
    const next = inside.flat().filter(({ isSelected }) => isSelected || !options.toolkit.isGtk3);
    level = await fetchNodes(next, options);
  }
  return open;
}

async function fetchNodes(
  addresses: readonly Address[],
  { client, budget }: LocateOptions,
): Promise<Node[]> {
  return await budget.inBatches(
    addresses,
    MAX_INSIDE,
    (each) => budget.attempt(fetchNode(client, each, budget.remaining())),
  );
}

/** What shows of the objects inside one. */
async function listShown(
  node: Node,
  { client, budget }: LocateOptions,
): Promise<(Address & { readonly isSelected: boolean })[]> {
  const inside = await budget.attempt(fetchChildren(client, node, { max: MAX_INSIDE, budget }));
  return await budget.inBatches(inside ?? [], MAX_INSIDE, async (each) => {
    const states = await budget.attempt(fetchStates(client, each, budget.remaining()));
    if (states === undefined || !hasState(states, "showing")) return undefined;
    return { ...each, isSelected: hasState(states, "selected") };
  });
}
