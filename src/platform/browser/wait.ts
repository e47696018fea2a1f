/** Waits for texts and elements of a page. */

import { pause, within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { cutRawText } from "../../core/texts.ts";
import type { PageCondition, RedactTexts } from "../types/browser.ts";
import { evaluateInIsolatedWorld, ifGone, listAllFrames, readFrameText } from "./isolated_world.ts";
import { findElement, reveal } from "./elements.ts";
import type { BrowserJob, RunningBrowser } from "./running_browser.ts";
import { tidy } from "./snapshot/clickable.ts";
import { DialogOpenError, type Tab } from "./tab.ts";

/** Where many wait, each polls less often, or the browser would do nothing else. */
const POLL_INTERVAL_MS = 100;
const MOST_AT_ONCE = 2;
let waiting = 0;
/** Time that a page gets to answer, however short the wait is. */
const ANSWER_MS = 3_000;
/** Characters of a page that are searched, with all its frames. */
const MAX_SEARCHED = 4_000_000;

export const wait: BrowserJob<"wait"> = async (browser, condition, { checkStop, redact }) => {
  const start = performance.now();
  const tab = await browser.choose(condition.tab);
  const poll: Poll = { browser, tab, redact, last: undefined, isOver: false };
  waiting++;
  try {
    for (;;) {
      checkStop();
      const leftMs = start + condition.timeMs - performance.now();
      const check = isMet(poll, condition).catch(notYet);
      const met = await within(check, Math.max(leftMs, ANSWER_MS)) && await check === true;
      const elapsedMs = Math.round(performance.now() - start);
      if (met || elapsedMs >= condition.timeMs) return { met, elapsedMs };
      const pollMs = POLL_INTERVAL_MS * Math.max(1, waiting / MOST_AT_ONCE);
      await pause(Math.min(pollMs, condition.timeMs - elapsedMs));
    }
  } finally {
    poll.isOver = true;
    waiting--;
  }
};

/** A page that is busy, or being replaced, does not have it yet. */
function notYet(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === "timed_out") return;
  return ifGone(error);
}

interface Poll {
  readonly browser: RunningBrowser;
  readonly tab: Tab;
  readonly redact: RedactTexts;
  /** What was searched last, and whether that was what is waited for: most pages stay as they are. */
  last: { readonly texts: readonly string[]; readonly met: boolean } | undefined;
  /** Whether the wait has been answered; what its last poll still does shows nothing more. */
  isOver: boolean;
}

/** Whether all of it is true now. */
async function isMet(poll: Poll, condition: PageCondition): Promise<boolean> {
  const { browser, tab } = poll;
  const { gone, loaded, url } = condition;
  if (url !== undefined) { // first: the page that is still there need not answer
    const [part, address] = await poll.redact([url, tab.url]);
    if (!address!.includes(part!)) return false;
  }
  if (loaded && await evaluateInIsolatedWorld(tab, "document.readyState === 'complete'") !== true) {
    return false;
  }
  if (!await hasTexts(poll, condition)) return false;
  if (gone === undefined) return true;
  if (poll.isOver) return false;
  return await isGone(() => findElement(browser, gone, { anyTexts: true })) ||
    !poll.isOver && await isGone(() => reveal(browser, gone, { anyTexts: true }));
}

/**
 * Whether the page has the texts. Stored values are replaced on both sides first, whatever is waited
 * for: else the answer, or how long it takes, would reveal their parts.
 * @throws ServiceError `conflict`: the page is too long to know that a text is gone
 */
async function hasTexts(poll: Poll, { text, textGone }: PageCondition): Promise<boolean> {
  if (text === undefined && textGone === undefined) return true;
  const { texts, isCut } = await readTexts(poll.tab);
  const { last } = poll;
  const isSame = last?.texts.length === texts.length &&
    texts.every((each, index) => each === last.texts[index]);
  if (isSame) return last.met;
  const wanted = [text, textGone].map((each) => each ?? "");
  const [itsText, itsTextGone, ...page] = await poll.redact([...wanted, ...texts]);
  const plain = page.map(tidy);
  const has = (part: string) => plain.some((each) => each.includes(tidy(part)));
  const met = (text === undefined || has(itsText!)) &&
    (textGone === undefined || !has(itsTextGone!));
  if (met && textGone !== undefined && isCut) throw new ServiceError("conflict", TOO_LONG);
  poll.last = { texts, met };
  return met;
}

const TOO_LONG =
  `The page is too long to know that a text is gone: only ${MAX_SEARCHED} characters are searched`;

/** The texts of a page and its frames; `isCut` where they have more. */
async function readTexts(tab: Tab) {
  const texts: string[] = [];
  let left = MAX_SEARCHED;
  let isCut = false;
  for (const frame of await listAllFrames(tab)) {
    const text = await readFrameText(tab, frame, left + 1); // one more shows that there is more
    isCut ||= text.length > left;
    texts.push(cutRawText(text, left));
    left = Math.max(0, left - text.length);
  }
  return { texts, isCut };
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
