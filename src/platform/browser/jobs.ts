/** The jobs that the browser's thread carries out, by name. */

import type { BrowserJobName, BrowserJobs } from "../types/browser_jobs.ts";
import { navigate, openTab } from "./navigate.ts";
import { answerDialog, listDialogs } from "./dialogs.ts";
import { evaluate } from "./evaluate.ts";
import { enterSecret } from "./fill/enter_secret.ts";
import { fill } from "./fill/fill.ts";
import { upload } from "./fill/upload.ts";
import { pressKeys, typeText } from "./keys/keyboard.ts";
import { readText } from "./page_text.ts";
import { click, drag, pointer, releaseButtons, scroll } from "./pointer.ts";
import { hasFocus, sawMouse, sawPress, watchMouse } from "./reached.ts";
import { focus, place, reveal } from "./reveal.ts";
import type { RunningBrowser } from "./running_browser.ts";
import { screenshot } from "./screenshot.ts";
import { wait } from "./wait.ts";
import { find, snapshot } from "./snapshot/snapshot.ts";

export type BrowserJob<N extends BrowserJobName> = (
  browser: RunningBrowser,
  input: BrowserJobs[N][0],
  /** @throws Stopped when the caller has left */
  checkStop: () => void,
) => Promise<BrowserJobs[N][1]>;

export const JOBS: { readonly [N in BrowserJobName]: BrowserJob<N> } = {
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
  place,
  async focus(browser, { element, use }) {
    await focus(browser, element, use);
  },
  hasFocus,
  watchMouse,
  sawMouse,
  sawPress,
  click,
  pointer,
  drag,
  release: releaseButtons,
  scroll,
  type: typeText,
  keys: pressKeys,
  fill,
  enterSecret,
  upload,
  screenshot,
  wait,
  evaluate,
  async console(browser, { tab, since, max }) {
    return (await browser.choose(tab)).console.after(since, max);
  },
  async network(browser, { tab, since, max }) {
    return (await browser.choose(tab)).network.after(since, max);
  },
  dialogs: (browser) => Promise.resolve(listDialogs(browser)),
  answerDialog,
  downloads: (browser) => Promise.resolve([...browser.downloads.values()]),
};
