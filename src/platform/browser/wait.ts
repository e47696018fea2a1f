/** Waits for what a page shows. */

import { pause } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { PageCondition } from "../types/browser.ts";
import type { ShowTexts } from "../types/browser_jobs.ts";
import { evaluateInIsolatedWorld, ifGone, listAllFrames } from "./isolated_world.ts";
import { reveal } from "./reveal.ts";
import { findElement } from "./elements.ts";
import type { BrowserJob, RunningBrowser } from "./running_browser.ts";
import { DialogOpenError, type Tab } from "./tab.ts";

/** Between two looks of one wait; where many wait, each looks less often, or the browser would do nothing else. */
const POLL_INTERVAL_MS = 100;
const MOST_AT_ONCE = 2;
let waiting = 0;
/** Characters around a text of a page in which is looked whether callers may see it. */
const MAX_AROUND = 1_000_000;
/** The text of a page that contains another one, or of a long page what is around that; else null. */
const FIND = `(text, max) => {
  const plain = (each) => each.replace(/\\s+/g, " ").trim();
  const all = String(document.body?.innerText ?? "");
  const at = plain(all).indexOf(plain(text));
  if (at < 0) return null;
  return all.length <= max ? all : plain(all).slice(Math.max(0, at - max / 2), at + max / 2);
}`;

export const wait: BrowserJob<"wait"> = async (browser, condition, checkStop, show) => {
  const start = performance.now();
  const tab = await browser.choose(condition.tab);
  waiting++;
  try {
    for (;;) {
      checkStop();
      const met = await isMet({ browser, tab, show }, condition);
      const elapsedMs = Math.round(performance.now() - start);
      if (met || elapsedMs >= condition.timeMs) return { met, elapsedMs };
      const lookMs = POLL_INTERVAL_MS * Math.max(1, waiting / MOST_AT_ONCE);
      await pause(Math.min(lookMs, condition.timeMs - elapsedMs));
    }
  } finally {
    waiting--;
  }
};

interface Look {
  readonly browser: RunningBrowser;
  readonly tab: Tab;
  readonly show: ShowTexts;
}

/** Whether all of it is true now. A stored value is no text of the page: waits would tell its parts. */
async function isMet(
  look: Look,
  { text, textGone, url, gone, loaded }: PageCondition,
): Promise<boolean> {
  const { browser, tab } = look;
  if (url !== undefined && !(tab.url.includes(url) && await isShown(look, tab.url, url))) {
    return false;
  }
  if (loaded && await evaluateInIsolatedWorld(tab, "document.readyState === 'complete'") !== true) {
    return false;
  }
  if (text !== undefined && !await shows(look, text)) return false;
  if (textGone !== undefined && await shows(look, textGone)) return false;
  return gone === undefined || await isGone(() => findElement(browser, gone)) ||
    await isGone(() => reveal(browser, gone));
}

/** Whether one of its frames shows a text. */
async function shows(look: Look, text: string): Promise<boolean> {
  const { tab } = look;
  const expression = `(${FIND})(${JSON.stringify(text)}, ${MAX_AROUND})`;
  for (const frame of await listAllFrames(tab)) {
    const found = await evaluateInIsolatedWorld(tab, expression, { frame }).catch(ifGone);
    if (typeof found === "string" && await isShown(look, found, text)) return true;
  }
  return false;
}

async function isShown({ show }: Look, all: string, text: string): Promise<boolean> {
  const [shown] = await show([all]);
  return toPlain(shown!).includes(toPlain(text));
}

function toPlain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
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
