/** Waits for what a page shows. */

import { pause } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { PageCondition } from "../types/browser.ts";
import type { RedactTexts } from "../types/browser_jobs.ts";
import { evaluateInIsolatedWorld, ifGone, listAllFrames } from "./isolated_world.ts";
import { reveal } from "./reveal.ts";
import { findElement } from "./elements.ts";
import type { BrowserJob, RunningBrowser } from "./running_browser.ts";
import { DialogOpenError, type Tab } from "./tab.ts";

/** Between two looks of one wait; where many wait, each looks less often, or the browser would do nothing else. */
const POLL_INTERVAL_MS = 100;
const MOST_AT_ONCE = 2;
let waiting = 0;
/** Characters of a page that are searched for stored values; of longer ones, those around the match. */
const MAX_AROUND = 1_000_000;
/** Returns the text of the page if it contains `text`, cut to `max` characters around that; else null. */
const FIND = `(text, max) => {
  const plain = (each) => each.replace(/\\s+/g, " ").trim();
  const all = String(document.body?.innerText ?? "");
  const at = plain(all).indexOf(plain(text));
  if (at < 0) return null;
  return all.length <= max ? all : plain(all).slice(Math.max(0, at - max / 2), at + max / 2);
}`;

export const wait: BrowserJob<"wait"> = async (browser, condition, { checkStop, redact }) => {
  const start = performance.now();
  const tab = await browser.choose(condition.tab);
  waiting++;
  try {
    for (;;) {
      checkStop();
      const met = await isMet({ browser, tab, redact }, condition);
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
  readonly redact: RedactTexts;
}

/** Whether all of it is true now. Stored values are not searched: waits would reveal their parts. */
async function isMet(
  look: Look,
  { text, textGone, url, gone, loaded }: PageCondition,
): Promise<boolean> {
  const { browser, tab } = look;
  if (url !== undefined && !(tab.url.includes(url) && await containsText(look, tab.url, url))) {
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
    if (typeof found === "string" && await containsText(look, found, text)) return true;
  }
  return false;
}

/** Whether it contains a text outside of stored values. */
async function containsText({ redact }: Look, all: string, text: string): Promise<boolean> {
  const [redacted] = await redact([all]);
  return toPlain(redacted!).includes(toPlain(text));
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
