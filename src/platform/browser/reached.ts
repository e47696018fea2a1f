/** Sees whether input of the display reaches an element: a browser has fields and bubbles of its own. */

import type { BrowserJobs } from "../types/browser_jobs.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Point } from "../../core/geometry.ts";
import type { PageElement } from "../types/browser.ts";
import {
  callOn,
  describeElement,
  findElement,
  type FoundElement,
  resolveNode,
} from "./elements.ts";
import { findOwner } from "./frames.ts";
import { AIM_AT, HAS_FOCUS, SAW_MOUSE, SAW_PRESS, WATCH_MOUSE } from "./page_scripts.ts";
import { capital, MAX_DEPTH } from "./reveal.ts";
import type { RunningBrowser } from "./running_browser.ts";

/** What a page may take to answer beyond the time that it waits. */
const ANSWER_MS = 5_000;
/** How long a press may take to reach its page, and how long that may take to say so. */
const PRESS_MS = 300;
const LATE_MS = 1_000;

/** Asks every document on the way to it: each holds the focus itself, or has given it to its frame. */
export async function hasFocus(
  browser: RunningBrowser,
  { element }: BrowserJobs["hasFocus"][0],
): Promise<boolean> {
  const tab = browser.tabOfTarget(element.target);
  let { frame, node } = element;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const objectId = await resolveNode(tab, frame, node);
    if (!await callOn({ tab, session: tab.sessionOf(frame), objectId }, HAS_FOCUS)) return false;
    if (frame === tab.target) return true;
    const owner = await findOwner(tab, frame);
    if (owner === undefined) return false;
    ({ frame, node } = owner);
  }
  return false;
}

export async function watchMouse(
  browser: RunningBrowser,
  { element }: BrowserJobs["watchMouse"][0],
): Promise<void> {
  await callOn(await findElement(browser, element), WATCH_MOUSE);
}

export async function sawMouse(
  browser: RunningBrowser,
  { element, timeMs, isLast, use }: BrowserJobs["sawMouse"][0],
): Promise<boolean> {
  const found = await findElement(browser, element);
  const args = [timeMs, isLast, use === "click"];
  const { seen, cover } = await callOn(found, SAW_MOUSE, args, timeMs + ANSWER_MS);
  if (typeof cover === "string") throw refuseCover(element, cover);
  return seen === true;
}

/**
 * To call with the mouse over the element: the page can have put something else there, or moved it.
 * @param point in the viewport of its frame
 * @throws ServiceError `conflict`
 */
export async function aimAt(found: FoundElement, { x, y }: Point): Promise<void> {
  const cover = await callOn(found, AIM_AT, [x, y]);
  if (typeof cover === "string") throw refuseCover(found.element, cover);
}

/**
 * What the press has reached that followed. A page that is gone by then had it.
 * @throws ServiceError `conflict`: something else has got it
 */
export async function checkPress(
  found: Pick<FoundElement, "tab" | "session" | "element" | "objectId">,
): Promise<void> {
  const { tab, element } = found;
  if (tab.dialog) return;
  const target = await callOn(found, SAW_PRESS, [PRESS_MS], PRESS_MS + LATE_MS).catch(() => null);
  if (typeof target !== "string") return;
  throw new ServiceError(
    "conflict",
    `${
      capital(describeElement(element))
    } did not get the click: its page had put ${target} there meanwhile`,
  );
}

export async function sawPress(
  browser: RunningBrowser,
  { element }: BrowserJobs["sawPress"][0],
): Promise<void> {
  const tab = [...browser.tabs.values()].find(({ target }) => target === element.target);
  if (tab === undefined || tab.dialog) return; // the click can have closed it
  const objectId = await resolveNode(tab, element.frame, element.node).catch(() => undefined);
  if (objectId === undefined) return;
  await checkPress({ tab, session: tab.sessionOf(element.frame), element, objectId });
}

function refuseCover(element: PageElement, cover: string): ServiceError {
  const what = capital(describeElement(element));
  return new ServiceError(
    "conflict",
    `${what} is covered by ${cover} since the mouse is there, or has moved away: nothing was clicked`,
  );
}
