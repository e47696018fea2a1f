/** Finds elements of pages again, in a world of their own that scripts of the page cannot change. */

import type { Point, Region } from "../../core/geometry.ts";
import { identifyText, shortOrMark } from "../../core/texts.ts";
import { ServiceError } from "../../core/errors.ts";
import type { BrowserJobs, ElementUse, PageElement, VisibleElement } from "../types/browser.ts";
import { CdpError } from "./cdp/connection.ts";
import {
  AIM_AT,
  FOCUS,
  FRAME_POSITION,
  HAS_FOCUS,
  REVEAL,
  SAW_MOUSE,
  SAW_PRESS,
  WATCH_MOUSE,
  WINDOW_POSITION,
} from "./page_scripts.ts";
import type { BrowserCaller, BrowserJob, RunningBrowser } from "./running_browser.ts";
import type { Tab } from "./tab.ts";
import { enterFrame, evaluateInIsolatedWorld, findOwner, listFrames } from "./isolated_world.ts";
import { type AxNode, readNode } from "./snapshot/ax_tree.ts";
import { IDENTIFY_THIS } from "./snapshot/clickable.ts";

/** A node that scripts can be called on. */
interface NodeHandle {
  readonly tab: Tab;
  readonly session: string;
  readonly objectId: string;
}

/** An element that is there now. */
export interface ResolvedElement extends NodeHandle {
  readonly element: PageElement;
  readonly states: ReturnType<typeof readStates>;
}

/**
 * @param anyTexts whether an element that is known by its texts may have others by now
 * @throws ServiceError `conflict`: it is gone, or it is another element by now
 */
export async function findElement(
  browser: RunningBrowser,
  element: PageElement,
  { anyTexts = false } = {},
): Promise<ResolvedElement> {
  const tab = browser.tabOfTarget(element.target);
  const session = tab.sessionOf(element.frame);
  const frame = (await listFrames(tab, session)).get(element.frame);
  if (frame?.loader !== element.loader) throw gone(element);
  const handle = await resolveNode(tab, element.frame, element.node).catch((error) => {
    throw error instanceof CdpError ? gone(element) : error;
  });
  return { ...handle, element, states: await checkSame(handle, element, anyTexts) };
}

/** @throws ServiceError `conflict`: it cannot take what is done next */
export function checkUse({ element, states }: ResolvedElement, use: ElementUse | undefined): void {
  if (use === undefined) return;
  const refuse = (why: string) => {
    throw new ServiceError("conflict", `${describeElement(element)} ${why}`);
  };
  if (states.isDisabled) refuse("is disabled");
  if (use === "click") return;
  if (states.isReadOnly) refuse("is read-only");
  if (use === "secret" && !states.isEditable) refuse("is not a text field: nothing was typed");
}

/** @throws CdpError when there is no such node any more */
async function resolveNode(tab: Tab, frame: string, node: number): Promise<NodeHandle> {
  const session = tab.sessionOf(frame);
  const executionContextId = await enterFrame(tab, frame);
  const params = { backendNodeId: node, executionContextId };
  const { object } = await tab.call("DOM.resolveNode", params, { session });
  return { tab, session, objectId: object.objectId! };
}

/**
 * Calls a function of ours with the element as `this`; gives its JSON.
 * @param script the text of a function
 */
export async function callOn<Result>(
  { tab, session, objectId }: NodeHandle,
  script: string,
  args: readonly unknown[] = [],
  timeoutMs?: number,
): Promise<Result> {
  const { result, exceptionDetails } = await tab.call("Runtime.callFunctionOn", {
    functionDeclaration: script,
    objectId,
    arguments: args.map((value) => ({ value })),
    returnByValue: true,
    awaitPromise: true,
  }, { session, timeoutMs });
  if (exceptionDetails === undefined) return result.value;
  // names of elements stand before the functions that every element has
  const [why] = String(exceptionDetails.exception?.description).split("\n", 1);
  throw new ServiceError(
    "conflict",
    `The elements of the page cannot be read: ${shortOrMark(why!)}`,
  );
}

/** Lists reuse their rows: the same node can stand for something else. */
async function checkSame(handle: NodeHandle, element: PageElement, anyTexts: boolean) {
  const { tab, session } = handle;
  const params = { backendNodeId: element.node, fetchRelatives: false };
  const { nodes } = await tab.call("Accessibility.getPartialAXTree", params, { session });
  const now = nodes[0];
  if (now === undefined || now.ignored) {
    const message = `${describeElement(element)} is no longer visible: ${TAKE}`;
    throw new ServiceError("conflict", message);
  }
  const { role, name } = readNode(now);
  const isNamed = element.texts === undefined; // others are named by their texts while they have the focus
  if (role !== element.role || isNamed && identifyText(name) !== element.name) {
    throw new ServiceError(
      "conflict",
      `${describeElement(element)} is ${describeElement({ role, name })} now: ${TAKE}`,
    );
  }
  if (isNamed || anyTexts) return readStates(now);
  if (await callOn<string>(handle, IDENTIFY_THIS) === element.texts) return readStates(now);
  const message = `${describeElement(element)} has other texts now: ${TAKE}`;
  throw new ServiceError("conflict", message);
}

/** What the browser itself says about an element; a field for text is editable. */
function readStates({ properties = [] }: Pick<AxNode, "properties">) {
  const read = (name: string) => properties.find((each) => each.name === name)?.value.value;
  return {
    isDisabled: read("disabled") === true,
    isReadOnly: read("readonly") === true,
    isEditable: read("editable") !== undefined,
  };
}

const TAKE = "take a new snapshot and use its refs";

function gone(element: PageElement): ServiceError {
  return new ServiceError("conflict", `${describeElement(element)} is gone: ${TAKE}`);
}

/** `button "Save"` */
export function describeElement({ role, name }: Pick<PageElement, "role" | "name">): string {
  const shortName = shortOrMark(name);
  return shortName === "" ? `the ${role}` : `the ${role} ${JSON.stringify(shortName)}`;
}

// Brings elements into view, and says where they can be clicked: in the page, and on the display.

/** Frames inside frames beyond this are refused. */
const MAX_DEPTH = 20;

export const NO_FOCUS = "does not take the keyboard focus";

export interface RevealedElement extends VisibleElement {
  readonly found: ResolvedElement;
  /** {@link VisibleElement.middle} in the viewport of its frame. */
  readonly inFrame: Point;
}

/**
 * Shows the tab and the element in it.
 * @throws ServiceError `conflict`: it is gone, hidden or covered
 */
export async function reveal(
  browser: RunningBrowser,
  element: PageElement,
  options?: { readonly anyTexts?: boolean },
): Promise<RevealedElement> {
  await browser.show(browser.tabOfTarget(element.target));
  const found = await findElement(browser, element, options);
  const { refusal, by, ...inFrame } = await callOn<InFrame & Refusable>(found, REVEAL);
  if (refusal !== undefined) throw refuse(element, refusal, by);
  // a list that scrolls may have given its row to another entry
  if (inFrame.scrolled) await findElement(browser, element, options);
  return { ...await climb(found, inFrame), found, inFrame: inFrame.point };
}

/** Where it is on the display; see {@link findViewport}. */
export const locateOnDisplay: BrowserJob<"place"> = async (browser, { element, use }) => {
  const { area, middle, scrolled, found } = await reveal(browser, element);
  checkUse(found, use);
  const { viewport, ratio, window, title } = await findViewport(found.tab);
  return {
    area: {
      x: Math.round(viewport.x + area.x * ratio),
      y: Math.round(viewport.y + area.y * ratio),
      width: Math.max(1, Math.round(area.width * ratio)),
      height: Math.max(1, Math.round(area.height * ratio)),
    },
    middle: {
      x: Math.floor(viewport.x + middle.x * ratio),
      y: Math.floor(viewport.y + middle.y * ratio),
    },
    scrolled,
    viewport,
    window: { bounds: window, title, pid: browser.windowPid },
  };
};

/** @throws ServiceError `conflict`: it does not take the focus of its page */
export async function focus(
  browser: RunningBrowser,
  { element, use }: BrowserJobs["focus"][0],
  { checkStop }: Pick<BrowserCaller, "checkStop">,
): Promise<void> {
  const { found } = await reveal(browser, element);
  checkUse(found, use);
  checkStop();
  if (!await callOn<boolean>(found, FOCUS)) throw refuseElement(element, NO_FOCUS);
}

/** {@link focus} for keys of the display, which go where the browser has its keyboard focus. */
export const focusForDisplay: BrowserJob<"focus"> = async (browser, input, caller) => {
  await focus(browser, input, caller);
  const tab = browser.tabOfTarget(input.element.target);
  // a page that has it already is left alone: its window would be raised above its own menus
  if (!tab.mayFeignFocus && await hasFocus(browser, input, caller)) return;
  caller.checkStop();
  await browser.giveKeyboard(tab);
};

/** From the viewport of the element's frame to that of the page. */
async function climb(found: ResolvedElement, inFrame: InFrame): Promise<VisibleElement> {
  const { tab, element } = found;
  let frame = element.frame;
  let { area, point, scrolled, width, height } = inFrame;
  for (let depth = 0; frame !== tab.target; depth++) {
    const owner = depth < MAX_DEPTH ? await findOwner(tab, frame) : undefined;
    if (owner === undefined) throw refuse(element, "gone");
    const holder = await resolveNode(tab, owner.frame, owner.node);
    const args = [point.x, point.y, width, height];
    const placed = await callOn<FramePosition>(holder, FRAME_POSITION, args);
    if (placed.refusal) throw refuse(element, placed.refusal, "something outside its frame");
    const { origin, scale } = placed;
    area = {
      x: origin.x + area.x * scale.x,
      y: origin.y + area.y * scale.y,
      width: area.width * scale.x,
      height: area.height * scale.y,
    };
    ({ point, width, height } = placed);
    scrolled ||= placed.scrolled;
    frame = owner.frame;
  }
  return { area, middle: point, scrolled };
}

/** What {@link REVEAL} gives, in the viewport of a frame that has this size. */
interface InFrame {
  readonly area: Region;
  readonly point: Point;
  readonly scrolled: boolean;
  readonly width: number;
  readonly height: number;
}

/** Why it cannot be used, in place of everything else, and what covers it. */
interface Refusable {
  readonly refusal?: string;
  readonly by?: string;
}

/** What {@link FRAME_POSITION} gives. */
interface FramePosition extends Omit<InFrame, "area">, Refusable {
  readonly origin: Point;
  readonly scale: Point;
}

/**
 * A page knows the position of its window and the sizes of window and viewport, in DIP. The browser's
 * own controls are above the page; the borders at the sides and below have the same width.
 */
async function findViewport(tab: Tab) {
  const position = await evaluateInIsolatedWorld<WindowPosition>(tab, WINDOW_POSITION);
  const { cssVisualViewport } = await tab.call("Page.getLayoutMetrics");
  const zoom = cssVisualViewport?.zoom ?? 1;
  const { screenX, screenY, outerWidth, outerHeight, innerWidth, innerHeight } = position;
  const ratio = position.devicePixelRatio; // pixels of the display per pixel of the page
  const scale = ratio / zoom; // display pixels per DIP
  const border = Math.max(0, (outerWidth - innerWidth * zoom) / 2);
  const viewport = {
    x: Math.round((screenX + border) * scale),
    y: Math.round((screenY + outerHeight - border - innerHeight * zoom) * scale),
    width: Math.round(innerWidth * ratio),
    height: Math.round(innerHeight * ratio),
  };
  const window = {
    x: Math.round(screenX * scale),
    y: Math.round(screenY * scale),
    width: Math.round(outerWidth * scale),
    height: Math.round(outerHeight * scale),
  };
  return { viewport, window, ratio, title: String(position.title) };
}

/** What {@link WINDOW_POSITION} gives. */
type WindowPosition =
  & Record<"screenX" | "screenY" | "outerWidth" | "outerHeight", number>
  & Record<"innerWidth" | "innerHeight" | "devicePixelRatio", number>
  & { readonly title: unknown }; // a page can replace this property of its document

function refuse(element: PageElement, refusal: string, by = ""): ServiceError {
  const texts: Readonly<Record<string, string>> = {
    gone: "is gone: take a new snapshot and use its refs",
    hidden: "is not visible: it is hidden, or has no size",
    turned: "is in a rotated frame: its position on the screen is unknown",
    covered: `is covered by ${shortOrMark(by)}: close or move that first`,
  };
  return refuseElement(element, texts[refusal]!);
}

/** @param why what follows the name of the element in the message */
export function refuseElement(element: PageElement, why: string): ServiceError {
  const what = describeElement(element);
  return new ServiceError("conflict", `${what[0]!.toUpperCase()}${what.slice(1)} ${why}`);
}

// Sees whether input of the display reaches an element: a browser has fields and bubbles of its own.

/** What a page may take to answer beyond the time that it waits. */
const ANSWER_TIMEOUT_MS = 5_000;
/** How long a press may take to reach its page, and how long that may take to say so. */
const PRESS_TIMEOUT_MS = 300;
const PRESS_REPORT_TIMEOUT_MS = 1_000;

/** Asks every document on the way to it: each holds the focus itself, or has given it to its frame. */
export const hasFocus: BrowserJob<"hasFocus"> = async (browser, { element }) => {
  const tab = browser.tabOfTarget(element.target);
  let { frame, node } = element;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (!await callOn<boolean>(await resolveNode(tab, frame, node), HAS_FOCUS)) return false;
    if (frame === tab.target) return true;
    const owner = await findOwner(tab, frame);
    if (owner === undefined) return false;
    ({ frame, node } = owner);
  }
  return false;
};

export const watchMouse: BrowserJob<"watchMouse"> = async (browser, { element }) => {
  await callOn(await findElement(browser, element), WATCH_MOUSE);
};

export const sawMouse: BrowserJob<"sawMouse"> = async (
  browser,
  { element, timeMs, isLast, use },
) => {
  // `watchMouse` has compared its texts, which the mouse over it can change
  const found = await findElement(browser, element, { anyTexts: true });
  const args = [timeMs, isLast, use === "click"];
  const timeoutMs = timeMs + ANSWER_TIMEOUT_MS;
  const { seen, cover } = await callOn<SawMouse>(found, SAW_MOUSE, args, timeoutMs);
  if (typeof cover === "string") throw refuseOccluded(element, cover);
  return seen;
};

interface SawMouse {
  readonly seen: boolean;
  readonly cover?: string | null;
}

/**
 * To call with the mouse over the element: the page can have put something else there, or moved it.
 * @param point in the viewport of its frame
 * @throws ServiceError `conflict`
 */
export async function aimAt(found: ResolvedElement, { x, y }: Point): Promise<void> {
  const cover = await callOn<string | null>(found, AIM_AT, [x, y]);
  if (cover !== null) throw refuseOccluded(found.element, cover);
}

/**
 * What the press has reached that followed. A page that is gone by then had it.
 * @throws ServiceError `conflict`: something else has got it
 */
export async function checkPress(
  found: NodeHandle & Pick<ResolvedElement, "element">,
): Promise<void> {
  const { tab, element } = found;
  if (tab.dialog) return;
  const target = await callOn<string | null>(
    found,
    SAW_PRESS,
    [PRESS_TIMEOUT_MS],
    PRESS_TIMEOUT_MS + PRESS_REPORT_TIMEOUT_MS,
  ).catch(() => null);
  if (target === null) return;
  const why = `did not get the click: its page had put ${target} there meanwhile`;
  throw refuseElement(element, why);
}

export const sawPress: BrowserJob<"sawPress"> = async (browser, { element }) => {
  const tab = browser.findTarget(element.target);
  if (tab === undefined || tab.dialog) return; // the click can have closed it
  const handle = await resolveNode(tab, element.frame, element.node).catch(() => undefined);
  if (handle) await checkPress({ ...handle, element });
};

function refuseOccluded(element: PageElement, cover: string): ServiceError {
  const then = "since the mouse moved there, or has moved away: nothing was clicked";
  return refuseElement(element, `is covered by ${shortOrMark(cover)} ${then}`);
}
