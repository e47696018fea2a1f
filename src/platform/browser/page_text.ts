/** The text of a page, as a reader sees it. */

import type { BrowserJobs } from "../types/browser_jobs.ts";
import { PAGE_TEXT } from "./page_scripts.ts";
import type { RunningBrowser } from "./running_browser.ts";

export async function readText(
  browser: RunningBrowser,
  { tab: id, maxCharacters }: BrowserJobs["text"][0],
): Promise<BrowserJobs["text"][1]> {
  const tab = await browser.choose(id);
  const params = { expression: `(${PAGE_TEXT})(${maxCharacters})`, returnByValue: true };
  const { result } = await tab.call("Runtime.evaluate", params);
  const { text, length } = result.value as { readonly text: string; readonly length: number };
  return {
    tab: await browser.describe(tab),
    text: text.toWellFormed(),
    truncated: length > maxCharacters,
  };
}
