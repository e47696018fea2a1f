/** Performs one recorded step: on the element that it acted on, as that is now. */

import {
  describeLocator,
  type Locator,
  makeLocator,
  type TreeNode,
} from "../../features/trail/locator.ts";
import { isObject } from "../../features/call/check_fields.ts";
import { findElement, findWindow, Uncertain, type Where } from "./find_target.ts";
import { Refusal, type ServiceCalls } from "./service_calls.ts";
import {
  getField,
  readTree,
  type Recording,
  setField,
  type Step,
  type Target,
} from "./trajectory.ts";

export interface StepContext {
  readonly service: ServiceCalls;
  readonly recording: Recording;
  /** Whether points are used where there is no element. */
  readonly pixels: boolean;
}

/** `3  mouse.left-click button "Save" in ...` */
export function describeStep({ number, operation, targets }: Step): string {
  const [target] = Object.values(targets);
  const { locator, point, window } = target ?? {};
  const what = locator !== undefined
    ? describeLocator(locator)
    : point !== undefined
    ? `at ${point.x}, ${point.y}`
    : window !== undefined
    ? `window ${JSON.stringify(window.title)}`
    : "";
  return `${number}  ${operation} ${what}`.trimEnd();
}

/** Why a step cannot be performed, as far as the recording tells; `undefined` if it can. */
export function whatIsMissing(
  step: Step,
  { missing, pixels, before }: {
    readonly missing: readonly string[];
    /** The step before. */
    readonly before: Step | undefined;
  } & Pick<StepContext, "pixels">,
): string | undefined {
  if (isLeftOut(step)) return undefined;
  if (missing.length > 0) {
    return `${missing.map((path) => `"${path}"`).join(", ")} was not recorded: ` +
      "give it by --values, or record with texts";
  }
  if (step.fields["pid"] !== undefined && !step.operation.startsWith("display.")) {
    return "it acts on a process of the recorded run";
  }
  const unknown = namedIn(step.fields).find((path) => step.targets[path]?.locator === undefined);
  if (unknown !== undefined) return `the element that "${unknown}" named was not recorded`;
  if (isOfWindow(step) && step.targets["id"]?.window === undefined) {
    return "the window that it acts on was not recorded";
  }
  if (pixels) return undefined;
  if (isAtCursor(step) && !before?.operation.startsWith("mouse.")) {
    return "it acts wherever the cursor is: give --pixels if that is right";
  }
  const pointed = pointsOf(step).find(([key]) => !isWholeTarget(step.targets[key]));
  if (pointed === undefined) return undefined;
  const [key, { x, y }] = pointed;
  const locator = step.targets[key]?.locator;
  const why = locator === undefined
    ? "no element was recorded there"
    : `it matters where in the ${locator.role} it is`;
  return `it acts at the point ${x}, ${y}, and ${why}: give --pixels to use points`;
}

/** The paths of all refs: `ref`, `from.ref`, `authElements.0.ref`. */
function namedIn(fields: unknown): string[] {
  if (typeof fields !== "object" || fields === null) return [];
  return Object.entries(fields).flatMap(([name, value]) =>
    name === "ref" ? [name] : namedIn(value).map((path) => `${name}.${path}`)
  );
}

function isOfWindow({ operation, fields }: Step): boolean {
  return operation.startsWith("window.") && fields["id"] !== undefined;
}

/**
 * What has failed had no effect, but for a window that has asked before it closes. Pixels and regions
 * that were waited for lie elsewhere now; what follows waits for its own element.
 */
function isLeftOut({ operation, outcome, fields }: Step): boolean {
  if (outcome !== "done") return !(operation === "window.close" && outcome === "conflict");
  return operation === "display.wait" && JSON.stringify(fields["until"] ?? "").includes('"pixel"');
}

/**
 * @returns what became of it, for a person
 * @throws Uncertain when its target is not certain, and nothing was done; Refusal
 */
export async function performStep(
  step: Step,
  fields: Record<string, unknown>,
  { service, recording, pixels }: StepContext,
): Promise<"done" | "left out: it failed when it was recorded" | "left out"> {
  const { operation, outcome, surface, display_num, targets } = step;
  if (isLeftOut(step)) {
    return outcome === "done" ? "left out" : "left out: it failed when it was recorded";
  }
  const tab = await findTab(service, step, fields);
  const { modifiers } = fields;
  const mustShow = surface === "desktop" && Array.isArray(modifiers) && modifiers.length > 0;
  const where = { surface, display_num, tab, mustShow, timeoutMs: patience(step) };
  if (TYPING.test(operation) && fields["ref"] === undefined) {
    await checkFocus(service, step, { where, pixels, tree: await readTree(recording, step) });
  }
  for (const [key, target] of Object.entries(targets)) {
    if (key === "focus" || key === "tab_id") continue;
    if (holderOf(fields, key)["x"] !== undefined) {
      if (POINTING.test(operation)) await aim(fields, key, { service, target, where, pixels });
    } else if (key === "id" && operation.startsWith("window.")) {
      fields["id"] = (await findWindow(service, known(target.window), where)).id;
    } else {
      const locator = known(target.locator);
      setField(fields, key, (await findElement(service, { ...target, locator }, where)).ref);
    }
  }
  delete fields["frame"];
  if (tab !== undefined) fields["tab_id"] = tab;
  try {
    await service.call(operation, fields);
  } catch (error) {
    // the window asks first, as it did when this was recorded
    if (!(error instanceof Refusal) || error.code !== outcome) throw error;
  }
  return "done";
}

function known<T>(what: T | undefined): T {
  if (what !== undefined) return what;
  throw new Uncertain("its target was not recorded");
}

/** Who recorded it may have waited as long for what it acted on, in milliseconds. */
function patience({ pause_ms }: Step): number {
  return Math.min(MAX_PATIENCE_MS, Math.max(MIN_PATIENCE_MS, 2 * pause_ms));
}

const MIN_PATIENCE_MS = 10_000;
const MAX_PATIENCE_MS = 60_000;

/** Tabs have other ids now. */
async function findTab(
  service: ServiceCalls,
  { targets }: Step,
  fields: Record<string, unknown>,
): Promise<string | undefined> {
  if (fields["tab_id"] === undefined) return undefined;
  const title = known(targets["tab_id"]?.window?.title);
  const tabs = await service.call("browser.tabs") as {
    readonly id: string;
    readonly title: string;
  }[];
  const found = tabs.filter((tab) => tab.title === title);
  if (found.length === 1) return found[0]!.id;
  throw new Uncertain(`Looked for the tab ${JSON.stringify(title)}: there are ${found.length}`);
}

// Points: the element that was there gets the input, wherever it is now.

/**
 * Elements of which any part does the same. A click into a field puts the cursor somewhere else, and
 * what is typed goes into that field all the same.
 */
const WHOLE =
  /^(button|link|checkbox|radio|switch|tab|option|menuitem.*|menu|cell|gridcell|columnheader|rowheader|treeitem|listitem|textbox|searchbox|combobox|spinbutton|text|label|heading|icon)$/;

function isWholeTarget(target: Target | undefined): boolean {
  return target?.locator !== undefined && WHOLE.test(target.locator.role);
}

/** Those whose points are places that they act on. */
const POINTING = /^(mouse|browser|keychain)\./;

/** What has the coordinates of a target: the fields, or an object in them. */
function holderOf(fields: Record<string, unknown>, key: string): Record<string, unknown> {
  const holder = key === "point" ? fields : getField(fields, key);
  return isObject(holder) ? holder : {};
}

/** The points of a step, by the key of their target. */
function pointsOf({ operation, fields }: Step): (readonly [key: string, at: Point])[] {
  if (!POINTING.test(operation)) return [];
  const { from, path = [], authElements = [] } = fields;
  const all: (readonly [string, unknown])[] = [["point", fields], ["from", from]];
  for (const [name, list] of Object.entries({ path, authElements })) {
    if (Array.isArray(list)) {
      all.push(...list.map((at, index) => [`${name}.${index}`, at] as const));
    }
  }
  return all.flatMap(([key, at]) =>
    isObject(at) && typeof at["x"] === "number" ? [[key, at as unknown as Point] as const] : []
  );
}

/** Whether it clicks, or begins a drag, without saying where. */
function isAtCursor({ operation, fields }: Step): boolean {
  if (!operation.startsWith("mouse.") || operation === "mouse.move") return false;
  if (operation === "mouse.drag") return fields["from"] === undefined;
  return fields["x"] === undefined && fields["ref"] === undefined;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Aiming extends Pick<StepContext, "service" | "pixels"> {
  readonly target: Target;
  readonly where: Where;
}

/** Puts the element's ref in place of a point, or with `pixels` the point as it is now. */
async function aim(
  fields: Record<string, unknown>,
  key: string,
  { service, target, where, pixels }: Aiming,
): Promise<void> {
  const { locator, at, window } = target;
  if (locator !== undefined && isWholeTarget(target) && !key.startsWith("path.")) {
    const { ref } = await findElement(service, { ...target, locator }, where);
    const holder = holderOf(fields, key);
    delete holder["x"];
    delete holder["y"];
    holder["ref"] = ref;
    return;
  }
  if (!pixels) throw new Uncertain("it acts at a point: give --pixels to use points");
  const recorded = known(target.point);
  let to = recorded;
  if (locator !== undefined && at !== undefined) {
    const { bounds } = await findElement(service, { ...target, locator }, where);
    const { x, y, width, height } = known(bounds);
    to = { x: Math.round(x + at.x * width), y: Math.round(y + at.y * height) };
  } else if (window?.bounds !== undefined) {
    const { bounds } = await findWindow(service, window, where);
    const { x, y } = bounds ?? window.bounds;
    to = { x: recorded.x + x - window.bounds.x, y: recorded.y + y - window.bounds.y };
  }
  Object.assign(holderOf(fields, key), to);
}

// The keyboard: what is typed without a ref goes to whatever has the focus.

const TYPING = /^(keyboard\.(type|key|hotkey|hold)|browser\.(type|key))$/;

interface Typing {
  readonly where: Where;
  readonly pixels: boolean;
  /** What was there before the step. */
  readonly tree: readonly TreeNode[] | undefined;
}

/** @throws Uncertain when something else has the keyboard than when it was recorded */
async function checkFocus(
  service: ServiceCalls,
  { targets }: Step,
  { where, pixels, tree = [] }: Typing,
): Promise<void> {
  const { locator = findFocused(tree), window } = targets["focus"] ?? {};
  if (locator === undefined && window === undefined && !pixels) {
    throw new Uncertain("What had the keyboard was not recorded: give --pixels if that is right");
  }
  if (locator !== undefined) {
    const target = { locator, window };
    await findElement(
      service,
      target,
      where,
      ({ states }) => states.includes("focused") ? undefined : "something else has the keyboard",
    );
  }
  if (window !== undefined) {
    await findWindow(service, window, where, ({ states }) => states.includes("active"));
  }
}

/** The innermost one. */
function findFocused(roots: readonly TreeNode[]): Locator | undefined {
  const all = (nodes: readonly TreeNode[]): readonly TreeNode[] =>
    nodes.flatMap((node) => [node, ...all(node.children ?? [])]);
  const ref = all(roots).findLast(({ states }) => states.includes("focused"))?.ref;
  return ref === undefined ? undefined : makeLocator(roots, ref);
}
