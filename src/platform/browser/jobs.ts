/** The jobs that the browser's thread carries out, by name. */

import type { BrowserJobName, BrowserJobs } from "../types/browser_jobs.ts";
import { navigate, openTab } from "./navigate.ts";
import { readText } from "./page_text.ts";
import { click, drag, pointer, scroll } from "./pointer.ts";
import { focus, place, reveal } from "./reveal.ts";
import type { RunningBrowser } from "./running_browser.ts";
import { find, snapshot } from "./snapshot/snapshot.ts";

export type BrowserJob<N extends BrowserJobName> = (
  browser: RunningBrowser,
  input: BrowserJobs[N][0],
  /** @throws Stopped when the caller has left */
  checkStop: () => void,
) => Promise<BrowserJobs[N][1]>;

export const JOBS: { readonly [N in BrowserJobName]?: BrowserJob<N> } = {
  tabs: (browser) => browser.list(),
  open: openTab,
  async activate(browser, { tab: id }) {
    const tab = browser.tab(id);
    await browser.activate(tab);
    return await browser.describe(tab);
  },
  async close(browser, { tab: id }) {
    await browser.close(browser.tab(id));
  },
  navigate,
  snapshot,
  find,
  text: readText,
  async show(browser, { element }) {
    const { area, middle, scrolled } = await reveal(browser, element);
    return { area, middle, scrolled };
  },
  place: (browser, { element }) => place(browser, element),
  focus: (browser, { element }) => focus(browser, element),
  click,
  pointer,
  drag,
  scroll,
};
