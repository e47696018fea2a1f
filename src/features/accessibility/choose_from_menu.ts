/** Chooses an item from the menus of a window by the path of names to it. */

import { poll } from "../../core/deadline.ts";
import { hasCode, ignoreCode, ServiceError } from "../../core/errors.ts";
import type { Element } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import {
  type Acting,
  attempt,
  type Before,
  captureBefore,
  clickForReal,
  confirmed,
  type ElementActionResult,
  findEffect,
  type Method,
  prefersInput,
  pressForReal,
  unverified,
} from "./element_actions.ts";
import { ElementTarget } from "./element_target.ts";
import { listNames, redactElement, redactNames } from "./redact_elements.ts";
import { type ReadElements, readElements } from "./use_accessibility.ts";
import { conflictOf, Refs } from "../input/targets/refs.ts";

export interface MenuInput {
  /** A window, a menu bar or a menu; without it, the focused window. */
  readonly ref?: string | undefined;
  readonly menuPath: readonly string[];
  readonly method: Method;
  readonly display_num: number;
}

/** How long a menu has to open, in milliseconds. */
const OPEN_TIMEOUT_MS = 1_500;
/** How long a program has to make its menus anew, which LibreOffice does when one closes. */
const RENEWAL_TIMEOUT_MS = 500;
const POLL_INTERVAL_MS = 40;
const READ_TIMEOUT_MS = 5_000;
const MAX_ELEMENTS = 20_000;
const MENU = /^menu/;

/**
 * @throws ServiceError `not_found` for a name that is not there, with those that are; the menus that
 * were opened are closed again
 */
export async function chooseFromMenu(
  context: Context,
  input: MenuInput,
): Promise<ElementActionResult> {
  const { menuPath } = input;
  const window = await observeWindow(context, input);
  let search: MenuSearch = { ...input, context };
  const opened: Step[] = [];
  try {
    let step = await findFirst(search, { name: menuPath[0]!, within: window.within });
    if (await prefersInput(step, step.element)) {
      search = { ...search, method: "input" };
      step = { ...step, method: "input" };
    }
    for (const name of menuPath.slice(1)) {
      const next = { name, within: step.target, menu: step };
      const found = search.method === "input" ? undefined : await tryFindStep(search, next);
      if (!found) {
        opened.push(step);
        await openMenu(step);
      }
      step = found ?? await awaitStep(search, next);
    }
    return await activate(step, search, window);
  } catch (error) {
    await closeMenus(search, opened);
    throw error;
  }
}

interface MenuSearch extends MenuInput {
  readonly context: Context;
}

/** What is searched next. */
interface Next {
  readonly name: string;
  /** What it is in. */
  readonly within: ElementTarget;
  /** The menu that it is in. */
  readonly menu?: Step;
}

/** An element of the path, and its state when it was found. */
interface Step extends Acting {
  readonly next: Next;
  readonly element: Element;
}

interface Observed {
  readonly acting: Acting;
  readonly before: Before;
  readonly within: ElementTarget;
}

/** The window as it is before any menu opens: menus that open and close are no effect. */
async function observeWindow(context: Context, input: MenuInput): Promise<Observed> {
  const { method } = input;
  const read = await readTop(context, input);
  const top = read.tree.roots[0]!;
  const { displayNum } = read.display;
  const redacted = await redactElement(context, top);
  const seen = { displayNum, element: redacted, top: read.top ?? top };
  const within = new ElementTarget(context, seen);
  const [window = top] = read.top
    ? await read.accessibility.refresh([read.top.id], context.signal)
    : [top];
  const element = { ...window, ...(seen.top.window && { window: seen.top.window }) };
  const target = new ElementTarget(context, {
    displayNum,
    element: await redactElement(context, element),
    top: element,
  });
  const acting = { context, target, ref: context.session.use(Refs).add(within), method };
  return { acting, before: await captureBefore(acting, element), within };
}

/** @throws ServiceError `not_found`: no window has the focus, as for a moment when a menu closes */
async function readTop(context: Context, { ref, display_num }: MenuInput): Promise<ReadElements> {
  const found = await pollRenewal(context, async () => {
    const read = await readElements(context, {
      window: "focused",
      ref,
      include_hidden: true,
      display_num,
      max_elements: 1,
      max_depth: 1,
      timeout_ms: READ_TIMEOUT_MS,
    });
    return read.tree.roots.length > 0 && read;
  });
  if (found) return found;
  throw new ServiceError("not_found", "No window has the focus: name one by its ref");
}

async function pollRenewal<T>({ signal }: Context, check: () => Promise<T | undefined | false>) {
  return await poll(check, { everyMs: POLL_INTERVAL_MS, timeoutMs: RENEWAL_TIMEOUT_MS, signal });
}

/** A reading while menus are made anew lacks some: what is not there is missing from two that are alike. */
async function findFirst(search: MenuSearch, first: Next): Promise<Step> {
  let missing: string | undefined;
  const find = async () => {
    try {
      return await findStep(search, first);
    } catch (error) {
      if (!hasCode(error, "not_found") || error.message === missing) throw error;
      missing = error.message;
      return undefined;
    }
  };
  return await pollRenewal(search.context, find) ?? await findStep(search, first);
}

/** Closed menus of many programs have their items already. */
async function tryFindStep(search: MenuSearch, next: Next): Promise<Step | undefined> {
  return await ignoreCode("not_found", () => findStep(search, next));
}

async function awaitStep(search: MenuSearch, next: Next): Promise<Step> {
  const find = async () => {
    const found = await tryFindStep(search, next);
    return found?.element.states.has("offscreen") ? undefined : found;
  };
  const { signal } = search.context;
  return await poll(find, { everyMs: POLL_INTERVAL_MS, timeoutMs: OPEN_TIMEOUT_MS, signal }) ??
    await findStep(search, next);
}

/** @throws ServiceError `not_found`, with the names that there are; `timed_out`: not all were read */
async function findStep(search: MenuSearch, next: Next): Promise<Step> {
  const { context, method } = search;
  const { around, items, isPartial } = await readBelow(search, next, { hidden: true });
  const element = items.find(({ name }) => fold(name) === fold(next.name));
  if (!element && isPartial) {
    throw new ServiceError("timed_out", "The program did not report all its menus in time");
  }
  if (!element) throw await notFound(context, next, items);
  const target = new ElementTarget(context, {
    displayNum: around.displayNum,
    element: await redactElement(context, element),
    top: around.topElement,
  });
  return { context, target, ref: context.session.use(Refs).add(target), method, element, next };
}

interface Below {
  /** What was read: the menu, or that which stands in its place now. */
  readonly around: ElementTarget;
  /** The menus and items that are the next ones below, not those inside them. */
  readonly items: readonly Element[];
  /** Whether its program took too long for all of them. */
  readonly isPartial: boolean;
}

/** Reads what is below a menu; one that its program has made anew meanwhile is found again by its name. */
async function readBelow(
  search: MenuSearch,
  { within, menu }: Pick<Next, "within" | "menu">,
  { hidden }: { readonly hidden: boolean },
): Promise<Below> {
  const read = async (around: ElementTarget) => ({
    around,
    ...await readItems(around, hidden, search.context.signal),
  });
  try {
    return await read(within);
  } catch (error) {
    if (!hasCode(error, "conflict") || menu === undefined) throw error;
    return await read((await findStep(search, menu.next)).target);
  }
}

async function readItems(
  around: ElementTarget,
  hidden: boolean,
  signal: AbortSignal,
): Promise<Omit<Below, "around">> {
  const { accessibility } = await around.open();
  const { roots, truncated } = await accessibility.read({
    hidden,
    signal,
    scope: { element: around.id },
    maxElements: MAX_ELEMENTS,
    maxDepth: 100,
    timeMs: READ_TIMEOUT_MS,
  });
  const items = roots.flatMap(({ children }) => itemsIn(children));
  return { items, isPartial: truncated.includes("time") };
}

function itemsIn(elements: readonly Element[]): Element[] {
  return elements.flatMap((element) =>
    MENU.test(element.role) && element.role !== "menubar" && element.name !== ""
      ? [element]
      : itemsIn(element.children)
  );
}

async function notFound(
  context: Context,
  { name, menu }: Next,
  items: readonly Element[],
): Promise<ServiceError> {
  const [around] = await redactNames(context, [menu?.element.name ?? ""]);
  const owner = menu === undefined ? "The window" : `The menu ${JSON.stringify(around)}`;
  const listed = await listNames(context, items.map((item) => item.name), "it has none");
  return new ServiceError("not_found", `${owner} has no item ${JSON.stringify(name)}: ${listed}`);
}

/** Names of menus are compared without mnemonics, shortcuts and the dots of dialogs. */
function fold(name: string): string {
  return name.split("\t")[0]!.replace(/[_&]/g, "").replace(/(\.\.\.|…)$/, "").trim().toLowerCase();
}

async function openMenu(step: Acting): Promise<void> {
  const { target, method, context: { signal } } = step;
  const response = method === "input" ? "refused" : await target.request({ kind: "click" }, signal);
  if (response === "refused") await clickForReal(step);
}

async function activate(
  step: Step,
  search: MenuSearch,
  { acting, before }: Observed,
): Promise<ElementActionResult> {
  const { target, method, element, context: { signal } } = step;
  if (element.states.has("disabled")) {
    throw conflictOf(target, "is disabled: nothing was done");
  }
  const response = method === "input" ? "refused" : await target.request({ kind: "click" }, signal);
  if (response === "refused" && method === "program") {
    return unverified("program", "Its program offers no click action for it.");
  }
  if (response === "refused") await clickForReal(step);
  const by = response === "refused" ? "input" : "program";
  const { change } = await findEffect(acting, before, { byInput: false });
  if (change !== undefined) return confirmed(by, `${WINDOW[change] ?? change}.`);
  return await compareItem(step, search, by);
}

/** What is said of the window itself. */
const WINDOW: Readonly<Record<string, string>> = {
  "Its name has changed": "The title of the window has changed",
  "It is no longer visible": "The window has closed",
  "Its window has closed": "The window has closed",
};

/** An item that is switched on and off may change nothing else. */
async function compareItem(
  { element, next }: Step,
  search: MenuSearch,
  by: ElementActionResult["by"],
): Promise<ElementActionResult> {
  const now = (await ignoreCode("timed_out", () => tryFindStep(search, next)))?.element;
  if (now && now.states.has("checked") !== element.states.has("checked")) {
    const is = now.states.has("checked") ? "is checked" : "is no longer checked";
    return confirmed(by, `The item ${is}.`);
  }
  return unverified(by, "No change was observed in the window or the item.");
}

/** Leaves none of these menus open, if keys may be pressed; one key too many would close a dialog. */
async function closeMenus(search: MenuSearch, opened: readonly Step[]): Promise<void> {
  for (const menu of opened.toReversed()) {
    const failure = await attempt(async () => {
      if (await hasVisibleItems(search, menu)) await pressForReal(menu, "escape");
    });
    if (failure !== undefined) return;
  }
}

async function hasVisibleItems(search: MenuSearch, menu: Step): Promise<boolean> {
  const { items } = await readBelow(search, { within: menu.target, menu }, { hidden: false });
  return items.some(({ states }) => !states.has("offscreen"));
}
