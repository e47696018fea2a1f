/** An element of a program to which a ref has been given: found again, checked, revealed, focused. */

import { poll } from "../../core/deadline.ts";
import { hasCode, type ServiceError } from "../../core/errors.ts";
import { identifyText } from "../../core/texts.ts";
import { overlap } from "../../imaging/boxes.ts";
import { requireCapability } from "../../platform/capability.ts";
import type {
  Accessibility,
  Display,
  Element,
  ElementAction,
  ElementId,
  Region,
  WindowId,
} from "../../platform/types/mod.ts";
import type { CallServices } from "../context.ts";
import {
  type ClickAt,
  conflictOf,
  type RefTarget,
  type Revealed,
  type TextUse,
} from "../input/targets/refs.ts";
import { describeElement, isTextField } from "./outline.ts";
import { redactNames } from "./redact_elements.ts";
import {
  activateWindow,
  type ClickableArea,
  type ElementViewport,
  findElementViewport,
  findUncovered,
  isInView,
  sameBounds,
  type Wanted,
} from "./clickable_area.ts";

/** How long a program has to scroll, or to move the focus, in milliseconds. */
const EFFECT_MS = 1_000;
/** How long a program has to report where that has brought an element, in milliseconds. */
const SCROLLED_MS = 500;
/** Interval between checks of an element that is expected to change, in milliseconds. */
const POLL_INTERVAL_MS = { first: 8, most: 64 };

/** Elements that some programs name after what is chosen in them. */
const RENAMED = /^combobox$/;

export class ElementTarget implements RefTarget {
  readonly key: string;
  readonly displayNum: number;
  readonly id: ElementId;
  /** The window that shows it, where the system says which one. */
  readonly window: WindowId | undefined;
  readonly top: ElementId;
  readonly role: string;
  /** As its program says it, by `identifyText`: targets are kept for long, and names can be. */
  readonly name: string;
  readonly description: string;
  readonly #used: CallServices;

  constructor(
    { platform, config, session }: CallServices,
    { displayNum, element, top }: SeenElement,
  ) {
    // not the context, which would keep its request in memory
    this.#used = { platform, config, session };
    this.displayNum = displayNum;
    this.id = element.id;
    this.window = top.window;
    this.top = top.id;
    this.role = element.role;
    this.name = identifyText(element.trueName ?? element.name);
    this.description = describeElement(element);
    // a ref must not become one of what the element has turned into
    const isNow = [this.role, ...(this.#isRenamed ? [] : [this.name])];
    this.key = identifyText(`element ${JSON.stringify([displayNum, this.id, ...isNow])}`);
  }

  /** The top element of its window, for other elements of that window. */
  get topElement(): SeenElement["top"] {
    return { id: this.top, name: "", ...(this.window && { window: this.window }) };
  }

  /** Whether it is a window itself, whose title is expected to change. */
  get isWindow(): boolean {
    return this.id === this.top;
  }

  get #isRenamed(): boolean {
    return this.isWindow || RENAMED.test(this.role);
  }

  open(): Promise<UsedDisplay> {
    return openAccessibility(this.#used, this.displayNum);
  }

  /**
   * What its program says about it now.
   * @throws ServiceError `conflict`: it is gone, no longer visible, or another element now
   */
  async refresh(signal: AbortSignal): Promise<Element> {
    const { accessibility } = await this.open();
    const [element] = await accessibility.refresh([this.id], signal);
    if (!element) throw stale(this, GONE);
    const isSame = element.role === this.role &&
      (this.#isRenamed || identifyText(element.name) === this.name);
    if (isSame) return element;
    throw stale(this, "has become another element since the snapshot");
  }

  async reveal(signal: AbortSignal, use?: "click"): Promise<Revealed> {
    const { display, accessibility } = await this.open();
    let element = await this.refresh(signal);
    if (use === "click" && element.states.has("disabled")) {
      throw conflictOf(this, "is disabled: nothing was clicked");
    }
    const viewport = await findElementViewport(display, this, element, signal);
    let scrolled = !isInView(element, viewport.view);
    if (scrolled) element = await this.#scroll(element, viewport, signal);
    const wanted = { accessibility, display, viewport };
    const canScroll = element.abilities.has("scroll to");
    let found = await this.#findPoint(element, wanted, canScroll, signal);
    if ("coveredBy" in found && !found.byWindow && canScroll) {
      scrolled = true;
      // the edge of what scrolls, for example, or a bar that stays in place
      element = await this.#scroll(element, viewport, signal);
      found = await this.#findPointSoon(element, wanted, signal);
    }
    if ("point" in found) return { area: found.area, middle: found.point, scrolled };
    const help = "bring its window to the front, or close what covers it";
    throw conflictOf(this, `is covered by ${found.coveredBy}: ${help}`);
  }

  async focus(signal: AbortSignal, click?: ClickAt, use?: TextUse): Promise<void> {
    const refusal = use && refusalOf(await this.refresh(signal), use);
    if (refusal) throw conflictOf(this, `${refusal}: nothing was typed`);
    if (await this.takeFocus(signal, click)) return;
    throw conflictOf(this, "does not take the keyboard focus");
  }

  /**
   * {@link ElementTarget.focus}; says whether it has the focus then.
   * @throws ServiceError `conflict`: it is gone, or its window does not become the active one
   */
  async takeFocus(signal: AbortSignal, click?: ClickAt): Promise<boolean> {
    const { display } = await this.open();
    await this.refresh(signal);
    await activateWindow(display, this, signal);
    if (await this.hasFocus(signal)) return true;
    const response = await this.request({ kind: "focus" }, signal);
    if (response !== "refused" && await this.#awaitFocus(signal)) return true;
    if (!click || !isTextField(await this.refresh(signal))) return false;
    await click((await this.reveal(signal)).middle);
    return await this.#awaitFocus(signal);
  }

  /** Requests its program to scroll to it; whether it is in view then. */
  async scrollIntoView(signal: AbortSignal): Promise<boolean> {
    const { display } = await this.open();
    const element = await this.refresh(signal);
    const viewport = await findElementViewport(display, this, element, signal);
    if (isInView(element, viewport.view)) return true;
    return isInView(await this.#scroll(element, viewport, signal), viewport.view);
  }

  /** Whether it, or a part of it, has the keyboard focus. */
  async hasFocus(signal: AbortSignal): Promise<boolean> {
    return await this.#hasFocus(await this.refresh(signal), signal);
  }

  async #hasFocus(element: Element, signal: AbortSignal): Promise<boolean> {
    if (element.states.has("focused")) return true;
    if (element.childCount === 0 || element.childCount > MAX_PARTS) return false;
    const { accessibility } = await this.open();
    const { roots } = await this.#unlessGone(accessibility.read({
      scope: { element: this.id },
      hidden: false,
      maxElements: MAX_PARTS,
      maxDepth: 3,
      timeMs: EFFECT_MS,
      signal,
    }));
    return roots.some(hasFocusedPart);
  }

  async checkFocus(signal: AbortSignal): Promise<void> {
    const { display: { windows }, accessibility } = await this.open();
    const [element] = await accessibility.refresh([this.id], signal);
    const isActive = this.window === undefined || !windows.ready ||
      (await windows.use.active(signal))?.id === this.window;
    if (isActive && element && await this.#hasFocus(element, signal)) return;
    throw conflictOf(this, "has lost the keyboard focus: nothing more was typed");
  }

  /**
   * Requests an action of its program, and says how that responded; it may do nothing all the same.
   * @throws ServiceError `conflict`: it is gone
   */
  async request(
    action: ElementAction,
    signal: AbortSignal,
  ): Promise<"accepted" | "refused" | "unresponsive"> {
    const { accessibility } = await this.open();
    try {
      const accepted = await this.#unlessGone(accessibility.perform(this.id, action, signal));
      return accepted === undefined ? "unresponsive" : accepted ? "accepted" : "refused";
    } catch (error) {
      if (hasCode(error, "unsupported")) return "refused";
      throw error;
    }
  }

  /** Reads the element until `isSo`, or for a second; returns it as it was read last. */
  async pollUntil(
    isSo: (element: Element) => boolean,
    signal: AbortSignal,
    timeoutMs = EFFECT_MS,
  ): Promise<Element> {
    let element: Element | undefined;
    const check = async () => isSo(element = await this.refresh(signal));
    await poll(check, { everyMs: POLL_INTERVAL_MS, timeoutMs, signal });
    return element!;
  }

  async #awaitFocus(signal: AbortSignal): Promise<boolean> {
    const polling = { everyMs: POLL_INTERVAL_MS, timeoutMs: EFFECT_MS, signal };
    return await poll(() => this.hasFocus(signal), polling) ?? false;
  }

  /** Says which element is gone, which its system does not know by its name. */
  async #unlessGone<T>(requested: Promise<T>): Promise<T> {
    try {
      return await requested;
    } catch (error) {
      if (!hasCode(error, "conflict")) throw error;
      throw stale(this, GONE);
    }
  }

  async #findPoint(
    element: Element,
    wanted: Pick<Wanted, "accessibility" | "display" | "viewport">,
    canScroll: boolean,
    signal: AbortSignal,
  ): Promise<ClickableArea> {
    const area = element.bounds && overlap(element.bounds, wanted.viewport.view);
    if (!area) throw this.#unreachable(element);
    const redact = async (name: string) =>
      (await redactNames({ ...this.#used, signal }, [name]))[0]!;
    return await findUncovered({ ...wanted, element, area, redact }, canScroll, signal);
  }

  /** After it was scrolled: a program can report its new position late. */
  async #findPointSoon(
    element: Element,
    wanted: Pick<Wanted, "accessibility" | "display" | "viewport">,
    signal: AbortSignal,
  ): Promise<ClickableArea> {
    let now = element;
    let found: ClickableArea | undefined;
    const isThere = async () => {
      if (found) now = await this.refresh(signal);
      found = await this.#findPoint(now, wanted, true, signal);
      return "point" in found;
    };
    const polling = { everyMs: POLL_INTERVAL_MS, timeoutMs: SCROLLED_MS, signal };
    return await poll(isThere, polling)
      ? found!
      : await this.#findPoint(now, wanted, false, signal);
  }

  /** Brings it into view if its program can; waits until it rests. */
  async #scroll(
    element: Element,
    { view }: ElementViewport,
    signal: AbortSignal,
  ): Promise<Element> {
    for (const kind of ["scroll to", "focus"] as const) {
      if (!element.abilities.has(kind)) continue;
      if (await this.request({ kind }, signal) === "refused") continue;
      let last: Region | undefined;
      const now = await this.pollUntil((one) => {
        const rests = sameBounds(last, one.bounds);
        last = one.bounds;
        return rests && isInView(one, view);
      }, signal);
      if (isInView(now, view)) return now;
      element = now;
    }
    return element;
  }

  #unreachable({ bounds, states }: Element): ServiceError {
    // GTK 3 reports positions for the items of some closed menus, far off the display
    const isClosed = this.role.startsWith("menuitem") && (!bounds || states.has("offscreen"));
    const reason = isClosed
      ? 'is in a menu that is not open: open that first, or use the action "menu" with its names'
      : bounds
      ? "is not in view, and its program does not scroll to it"
      : "has no position on the display that its program reports";
    return conflictOf(this, reason);
  }
}

export interface UsedDisplay {
  readonly display: Display;
  readonly accessibility: Accessibility;
}

/** @throws ServiceError `unsupported` where the display has no elements, with the reason */
export async function openAccessibility(
  { platform }: Pick<CallServices, "platform">,
  displayNum: number,
): Promise<UsedDisplay> {
  const display = await platform.displays.open(displayNum);
  return { display, accessibility: requireCapability(display.accessibility) };
}

/** Why nothing is typed into an element; `undefined` if it takes it. */
function refusalOf(element: Element, use: TextUse): string | undefined {
  const { role, states, abilities } = element;
  if (states.has("disabled")) return "is disabled";
  // GTK says of what can only be read no more than that it is not editable
  const isFixed = role === "textbox" && !states.has("editable") && !abilities.has("set value");
  if (states.has("readonly") || isFixed) return "can only be read";
  return use === "secret" && !isTextField(element) ? "is not a text field" : undefined;
}

/** More parts than this are not searched for the focus. */
const MAX_PARTS = 50;

function hasFocusedPart({ states, children }: Element): boolean {
  return states.has("focused") || children.some(hasFocusedPart);
}

const GONE = "is gone or no longer visible";

function stale(target: ElementTarget, what: string): ServiceError {
  return conflictOf(target, `${what}: take a new snapshot and use its refs`);
}

// An element as it was found, for its ref.

/** The element as a snapshot had it. */
interface SeenElement {
  readonly displayNum: number;
  readonly element: Pick<Element, "id" | "role" | "name"> & {
    /** The name as its program says it, where `name` leaves stored values out. */
    readonly trueName?: string;
  };
  /** The top element of its window, which may be itself. */
  readonly top: Pick<Element, "id" | "window" | "name">;
}
