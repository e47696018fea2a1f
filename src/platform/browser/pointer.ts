/** The mouse inside pages: trusted events that reach the page of the tab, whatever is above its window. */

import type { Point } from "../../core/geometry.ts";
import type { PageButton, PointerTarget, TabId } from "../types/browser.ts";
import type { BrowserJobs } from "../types/browser_jobs.ts";
import { checkUse } from "./elements.ts";
import { modifierBits } from "./keys/modifiers.ts";
import { reveal } from "./reveal.ts";
import type { RunningBrowser } from "./running_browser.ts";
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
const DRAG_STEPS = 10;

interface Place {
  readonly tab: Tab;
  readonly point: Point;
}

export async function click(
  browser: RunningBrowser,
  { tab: id, at, button, count, modifiers: names }: BrowserJobs["click"][0],
): Promise<void> {
  const { tab, point } = await findPlace(browser, id, at, "click");
  const modifiers = modifierBits(names);
  await send(tab, { type: "mouseMoved", ...point, modifiers });
  for (let clickCount = 1; clickCount <= count; clickCount++) {
    const click = { ...point, button, clickCount, modifiers };
    await send(tab, { ...click, type: "mousePressed", buttons: BITS[button] });
    await send(tab, { ...click, type: "mouseReleased", buttons: 0 });
    if (tab.dialog) return;
  }
}

/** A plain click at a point of the viewport. */
export async function clickAt(tab: Tab, point: Point): Promise<void> {
  const click = { ...point, button: "left", clickCount: 1 };
  await send(tab, { type: "mouseMoved", ...point });
  await send(tab, { ...click, type: "mousePressed", buttons: 1 });
  await send(tab, { ...click, type: "mouseReleased", buttons: 0 });
}

export async function pointer(
  browser: RunningBrowser,
  { tab: id, action, at, button }: BrowserJobs["pointer"][0],
): Promise<void> {
  const { tab, point } = await findPlace(browser, id, at);
  const buttons = pressed.get(tab) ?? 0;
  await send(tab, { type: "mouseMoved", ...point, buttons, button: buttons ? "left" : "none" });
  if (action === "move") return;
  const now = action === "down" ? buttons | BITS[button] : buttons & ~BITS[button];
  pressed.set(tab, now);
  const type = action === "down" ? "mousePressed" : "mouseReleased";
  await send(tab, { type, ...point, button, buttons: now, clickCount: 1 });
}

/** What {@link pointer} holds down. */
const pressed = new WeakMap<Tab, number>();

export async function drag(
  browser: RunningBrowser,
  { tab: id, path, modifiers: names }: BrowserJobs["drag"][0],
): Promise<void> {
  const tab = await browser.choose(id);
  await browser.show(tab);
  const modifiers = modifierBits(names);
  const [start, ...rest] = path;
  const button = { button: "left", modifiers };
  await send(tab, { type: "mouseMoved", ...start!, modifiers });
  await send(tab, { ...button, type: "mousePressed", ...start!, buttons: 1, clickCount: 1 });
  let at = start!;
  try {
    for (const to of rest) {
      for (let step = 1; step <= DRAG_STEPS; step++) {
        const part = step / DRAG_STEPS;
        const point = { x: at.x + (to.x - at.x) * part, y: at.y + (to.y - at.y) * part };
        await send(tab, { ...button, type: "mouseMoved", ...point, buttons: 1 });
      }
      at = to;
    }
  } finally {
    await send(tab, { ...button, type: "mouseReleased", ...at, buttons: 0, clickCount: 1 });
  }
}

/** Turns the wheel at the place; without one, in the middle of the page. */
export async function scroll(
  browser: RunningBrowser,
  { tab: id, at, right, down }: BrowserJobs["scroll"][0],
): Promise<void> {
  const { tab, point } = at
    ? await findPlace(browser, id, at)
    : await findMiddle(browser, await browser.choose(id));
  if (right === 0 && down === 0) return; // only into view
  const wheel = { type: "mouseWheel", deltaX: right * NOTCH, deltaY: down * NOTCH };
  await send(tab, { ...wheel, ...point });
}

async function findPlace(
  browser: RunningBrowser,
  id: TabId | undefined,
  at: PointerTarget,
  use?: "click",
): Promise<Place> {
  if ("element" in at) {
    const { found, middle } = await reveal(browser, at.element);
    checkUse(found, use);
    return { tab: found.tab, point: middle };
  }
  const tab = await browser.choose(id);
  await browser.show(tab);
  return { tab, point: at.point };
}

async function findMiddle(browser: RunningBrowser, tab: Tab): Promise<Place> {
  await browser.show(tab);
  const { cssVisualViewport: { clientWidth, clientHeight } } = await tab.call(
    "Page.getLayoutMetrics",
  );
  return { tab, point: { x: clientWidth / 2, y: clientHeight / 2 } };
}

async function send(tab: Tab, event: Readonly<Record<string, unknown>>): Promise<void> {
  if (tab.dialog && event["type"] !== "mouseReleased") tab.check();
  await tab.act("Input.dispatchMouseEvent", event);
}
