/** The mouse inside pages: trusted events that reach the page of the tab, whatever is above its window. */

import { within } from "../../core/deadline.ts";
import { unlessStopped } from "../../core/serve_jobs.ts";
import type { Point } from "../../core/geometry.ts";
import type { PageButton, PointerTarget, TabId } from "../types/browser.ts";
import type { CdpParams } from "./cdp/connection.ts";
import { aimAt, checkPress, checkUse, reveal } from "./elements.ts";
import { modifierBits } from "./keys/keyboard.ts";
import type { BrowserCaller, BrowserJob, RunningBrowser } from "./running_browser.ts";
import type { Tab } from "./tab.ts";

/** Bits of `buttons`, as in DOM events. */
const BITS: Readonly<Record<PageButton, number>> = {
  left: 1,
  right: 2,
  middle: 4,
  back: 8,
  forward: 16,
};
/** Pixels of one notch of a wheel. */
const NOTCH = 100;
/** The moves that a drag has at least: pages take fewer for no drag. */
const DRAG_MOVES = 10;
/** How long a release of everything waits for pages. */
const RELEASE_TIMEOUT_MS = 1_000;

export const click: BrowserJob<"click"> = async (
  browser,
  { tab: id, at, button, count, modifiers: names },
  { checkStop },
) => {
  const { tab, point, revealed } = await findPosition(browser, id, at, "click");
  const modifiers = modifierBits(names);
  const mouse = mouseOf(tab);
  await mouse.move(point, { modifiers }, checkStop);
  if (revealed && !tab.dialog) await aimAt(revealed.found, revealed.inFrame);
  for (let clickCount = 1; clickCount <= count; clickCount++) {
    const how = { clickCount, modifiers };
    await mouse.whileDown(button, how, checkStop, () => Promise.resolve());
    if (revealed && clickCount === 1) await checkPress(revealed.found);
    if (tab.dialog) return;
  }
};

/** A plain click at a point of the viewport. */
export async function clickAt(tab: Tab, point: Point, checkStop: CheckStop): Promise<void> {
  const mouse = mouseOf(tab);
  await mouse.move(point, {}, checkStop);
  await mouse.whileDown("left", {}, checkStop, () => Promise.resolve());
}

export const pointer: BrowserJob<"pointer"> = async (
  browser,
  { tab: id, action, at, button },
  { checkStop },
) => {
  const { tab, point } = await findPosition(browser, id, at);
  const mouse = mouseOf(tab);
  await mouse.move(point, {}, checkStop);
  if (action === "up") await mouse.release(button);
  const press = action === "down" ? await mouse.press(button, {}, checkStop) : undefined;
  return { tab: tab.id, press };
};

export const drag: BrowserJob<"drag"> = async (
  browser,
  { tab: id, path, modifiers: names },
  { checkStop },
) => {
  const tab = await browser.show(await browser.choose(id));
  const how = { modifiers: modifierBits(names) };
  const [start, ...rest] = path;
  const mouse = mouseOf(tab);
  const steps = Math.ceil(DRAG_MOVES / rest.length); // a move takes a frame, and all other input waits
  await mouse.move(start!, how, checkStop);
  await mouse.whileDown("left", how, checkStop, async () => {
    let at = start!;
    for (const to of rest) {
      for (let step = 1; step <= steps; step++) {
        const part = step / steps;
        const point = { x: at.x + (to.x - at.x) * part, y: at.y + (to.y - at.y) * part };
        await mouse.move(point, how, checkStop);
      }
      at = to;
    }
  });
};

/** Releases what {@link pointer} holds down: a button of a tab, or all. Waits for no page that hangs. */
export const releaseButtons: BrowserJob<"release"> = async (
  browser,
  { tab: id, button, press },
) => {
  const tabs = [...browser.tabs.values()].filter((tab) => id === undefined || tab.id === id);
  const releases = tabs.map((tab) => mice.get(tab)?.releaseAll(button, press));
  await within(Promise.allSettled(releases), RELEASE_TIMEOUT_MS);
};

type CheckStop = BrowserCaller["checkStop"];

type MouseEvent = CdpParams<"Input.dispatchMouseEvent">;
type ButtonEvent = Pick<MouseEvent, "clickCount" | "modifiers">;

/** The mouse of one tab: where it is, and what it holds down. Whoever presses a button releases it. */
class PageMouse {
  /** Each button that is down, with the presses that hold it: two callers may press the same one. */
  readonly #down = new Map<PageButton, Set<number>>();
  #presses = 0;
  #at: Point = { x: 0, y: 0 };

  constructor(private readonly tab: Tab) {}

  async move(to: Point, how: ButtonEvent, checkStop: CheckStop): Promise<void> {
    checkStop();
    this.#at = to;
    const button = [...this.#down.keys()].at(-1) ?? "none";
    await unlessStopped(this.#send("mouseMoved", { ...how, button }), checkStop);
  }

  /**
   * Leaves the button down, but not when the press fails: a page can answer too late, or never.
   * @returns the number of the press
   */
  async press(button: PageButton, how: ButtonEvent, checkStop: CheckStop): Promise<number> {
    checkStop();
    const press = ++this.#presses;
    this.#down.getOrInsertComputed(button, () => new Set()).add(press);
    try {
      const pressed = this.#send("mousePressed", { clickCount: 1, ...how, button });
      await unlessStopped(pressed, checkStop);
      checkStop(); // nobody gets the answer any more
      return press;
    } catch (error) {
      this.#giveUp(button, press, how)?.catch(() => {}); // a tab that was closed holds nothing down
      throw error;
    }
  }

  async release(button: PageButton, how: ButtonEvent = {}): Promise<void> {
    this.#down.delete(button);
    await this.#send("mouseReleased", { clickCount: 1, ...how, button });
  }

  /** Presses a button for as long as `work` takes, and releases it however that ends. */
  async whileDown(
    button: PageButton,
    how: ButtonEvent,
    checkStop: CheckStop,
    work: () => Promise<void>,
  ): Promise<void> {
    const press = await this.press(button, how, checkStop);
    try {
      await work();
    } catch (error) {
      this.#giveUp(button, press, how)?.catch(() => {});
      throw error;
    }
    await this.release(button, how);
  }

  /** @param press the only one that is given up, if there is one */
  async releaseAll(only?: PageButton, press?: number): Promise<void> {
    const buttons = [...this.#down.keys()].filter((each) => only === undefined || each === only);
    await Promise.all(
      buttons.map((button) =>
        press === undefined ? this.release(button) : this.#giveUp(button, press)
      ),
    );
  }

  /** Sends the release, which the page has after all events before, unless another press holds the button. */
  #giveUp(button: PageButton, press: number, how?: ButtonEvent): Promise<void> | undefined {
    const presses = this.#down.get(button);
    if (!presses?.delete(press)) return undefined; // another release came first
    return presses.size > 0 ? undefined : this.release(button, how);
  }

  async #send(type: MouseEvent["type"], event: Partial<MouseEvent>): Promise<void> {
    const buttons = [...this.#down.keys()].reduce((bits, button) => bits | BITS[button], 0);
    const params = { type, ...this.#at, buttons, ...event };
    await this.tab.act("Input.dispatchMouseEvent", params);
  }
}

const mice = new WeakMap<Tab, PageMouse>();

function mouseOf(tab: Tab): PageMouse {
  return mice.getOrInsertComputed(tab, () => new PageMouse(tab));
}

/** Turns the wheel at the position; without one, in the middle of the page. */
export const scroll: BrowserJob<"scroll"> = async (
  browser,
  { tab: id, at, right, down },
  { checkStop },
) => {
  const { tab, point } = at
    ? await findPosition(browser, id, at)
    : await findMiddle(await browser.show(await browser.choose(id)));
  if (right === 0 && down === 0) return; // only into view
  const wheel = { deltaX: right * NOTCH, deltaY: down * NOTCH };
  checkStop();
  const turned = tab.act("Input.dispatchMouseEvent", { type: "mouseWheel", ...wheel, ...point });
  await unlessStopped(turned, checkStop);
};

async function findPosition(
  browser: RunningBrowser,
  id: TabId | undefined,
  at: PointerTarget,
  use?: "click",
) {
  if ("element" in at) {
    const revealed = await reveal(browser, at.element);
    checkUse(revealed.found, use);
    return { tab: revealed.found.tab, point: revealed.middle, revealed };
  }
  const tab = await browser.show(await browser.choose(id));
  return { tab, point: at.point };
}

async function findMiddle(tab: Tab) {
  const { cssVisualViewport: { clientWidth, clientHeight } } = await tab.call(
    "Page.getLayoutMetrics",
  );
  return { tab, point: { x: clientWidth / 2, y: clientHeight / 2 } };
}
