/** Waits for what a page shows. */

import { pause } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { PageCondition } from "../types/browser.ts";
import { evaluateInIsolatedWorld, ifGone, listAllFrames } from "./isolated_world.ts";
import { reveal } from "./reveal.ts";
import { findElement } from "./elements.ts";
import type { BrowserJob, RunningBrowser } from "./running_browser.ts";
import { DialogOpenError, type Tab } from "./tab.ts";

/** Between two looks of one wait; where many wait, each looks less often, or the browser would do nothing else. */
const POLL_INTERVAL_MS = 100;
const MOST_AT_ONCE = 2;
let waiting = 0;
const SHOWS = `(text) => {
  const plain = (each) => each.replace(/\\s+/g, " ").trim();
  return plain(String(document.body?.innerText ?? "")).includes(plain(text));
}`;

export const wait: BrowserJob<"wait"> = async (browser, condition, checkStop) => {
  const start = performance.now();
  const tab = await browser.choose(condition.tab);
  waiting++;
  try {
    for (;;) {
      checkStop();
      const met = await isMet(browser, tab, condition);
      const elapsedMs = Math.round(performance.now() - start);
      if (met || elapsedMs >= condition.timeMs) return { met, elapsedMs };
      const lookMs = POLL_INTERVAL_MS * Math.max(1, waiting / MOST_AT_ONCE);
      await pause(Math.min(lookMs, condition.timeMs - elapsedMs));
    }
  } finally {
    waiting--;
  }
};

/** Whether all of it is true now. */
async function isMet(
  browser: RunningBrowser,
  tab: Tab,
  { text, textGone, url, gone, loaded }: PageCondition,
): Promise<boolean> {
  if (url !== undefined && !tab.url.includes(url)) return false;
  if (loaded && await evaluateInIsolatedWorld(tab, "document.readyState === 'complete'") !== true) {
    return false;
  }
  if (text !== undefined && !await shows(tab, text)) return false;
  if (textGone !== undefined && await shows(tab, textGone)) return false;
  return gone === undefined || await isGone(() => findElement(browser, gone)) ||
    await isGone(() => reveal(browser, gone));
}

/** Whether one of its frames shows a text. */
async function shows(tab: Tab, text: string): Promise<boolean> {
  const expression = `(${SHOWS})(${JSON.stringify(text)})`;
  for (const frame of await listAllFrames(tab)) {
    if (await evaluateInIsolatedWorld(tab, expression, { frame }).catch(ifGone) === true) {
      return true;
    }
  }
  return false;
}

async function isGone(find: () => Promise<unknown>): Promise<boolean> {
  try {
    await find();
    return false;
  } catch (error) {
    if (error instanceof DialogOpenError) throw error;
    if (error instanceof ServiceError && error.code === "conflict") return true;
    throw error;
  }
}
