/** Sees whether input of the display reaches an element: a browser has fields and bubbles of its own. */

import type { BrowserJobs } from "../types/browser_jobs.ts";
import { callOn, findElement, resolveNode } from "./elements.ts";
import { findOwner } from "./frames.ts";
import { HAS_FOCUS, SAW_MOUSE, WATCH_MOUSE } from "./page_scripts.ts";
import { MAX_DEPTH } from "./reveal.ts";
import type { RunningBrowser } from "./running_browser.ts";

/** What a page may take to answer beyond the time that it waits. */
const ANSWER_MS = 5_000;

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
  { element, timeMs, isLast }: BrowserJobs["sawMouse"][0],
): Promise<boolean> {
  const found = await findElement(browser, element);
  return await callOn(found, SAW_MOUSE, [timeMs, isLast], timeMs + ANSWER_MS) === true;
}
