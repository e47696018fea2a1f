/** Chooses an item from the menus of a window by the path of names to it. */

import { poll } from "../../core/deadline.ts";
import { ignoreCode, ServiceError } from "../../core/errors.ts";
import type { Accessibility, Element, ElementId, TreeReading } from "../../platform/types/mod.ts";
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
import { readElements } from "./use_accessibility.ts";
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
    let step = await findStep(search, { name: menuPath[0]!, within: window.within });
    if (await prefersInput(step, step.element)) {
      search = { ...search, method: "input" };
      step = { ...step, method: "input" };
    }
    for (const name of menuPath.slice(1)) {
      const next = { name, within: step.target, menu: step.element.name };
      const found = search.method === "input" ? undefined : await tryFindStep(search, next);
      if (!found) {
        opened.push(step);
        await openMenu(step);
      }
      step = found ?? await awaitStep(search, next);
    }
    return await activate(step, search, window);
  } catch (error) {
    await closeMenus(opened);
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
  /** The name of the menu that it is in. */
  readonly menu?: string;
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
  const { method, ref, display_num } = input;
  const read = await readElements(context, {
    window: "focused",
    ref,
    include_hidden: true,
    display_num,
    max_elements: 1,
    max_depth: 1,
    timeout_ms: READ_TIMEOUT_MS,
  });
  const [top] = read.tree.roots;
  if (!top) throw new ServiceError("not_found", "No window has the focus: name one by its ref");
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

/** @throws ServiceError `not_found`, with the names that there are */
async function findStep(search: MenuSearch, next: Next): Promise<Step> {
  const { context, method } = search;
  const around = next.within;
  const { display, accessibility } = await around.open();
  const { signal } = context;
  const items = await readItems(accessibility, around.id, { hidden: true, signal });
  const element = items.find(({ name }) => fold(name) === fold(next.name));
  if (!element) throw await notFound(context, next, items);
  const target = new ElementTarget(context, {
    displayNum: display.displayNum,
    element: await redactElement(context, element),
    top: around.topElement,
  });
  return { context, target, ref: context.session.use(Refs).add(target), method, element, next };
}

/** The menus and items that are the next ones below, not those inside them. */
async function readItems(
  accessibility: Accessibility,
  element: ElementId,
  options: Pick<TreeReading, "hidden" | "signal">,
): Promise<Element[]> {
  const { roots } = await accessibility.read({
    ...options,
    scope: { element },
    maxElements: MAX_ELEMENTS,
    maxDepth: 100,
    timeMs: READ_TIMEOUT_MS,
  });
  return roots.flatMap(({ children }) => itemsIn(children));
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
  const [around] = await redactNames(context, [menu ?? ""]);
  const owner = menu === undefined ? "The window" : `The menu ${JSON.stringify(around)}`;
  const listed = await listNames(context, items.map((item) => item.name), "it has none");
  return new ServiceError(
    "not_found",
    `${owner} has no item ${JSON.stringify(name)}: ${listed}`,
  );
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
async function closeMenus(opened: readonly Acting[]): Promise<void> {
  for (const menu of opened.toReversed()) {
    const failure = await attempt(async () => {
      if (await hasVisibleItems(menu)) await pressForReal(menu, "escape");
    });
    if (failure !== undefined) return;
  }
}

async function hasVisibleItems({ target, context: { signal } }: Acting): Promise<boolean> {
  const { accessibility } = await target.open();
  const items = await readItems(accessibility, target.id, { hidden: false, signal });
  return items.some(({ states }) => !states.has("offscreen"));
}
