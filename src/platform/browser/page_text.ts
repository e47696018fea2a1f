/** The text of a page and of its frames, as a reader sees it. */

import type { BrowserJobs } from "../types/browser_jobs.ts";
import { ifGone, listAllFrames } from "./frames.ts";
import { evaluateApart } from "./own_world.ts";
import { PAGE_TEXT } from "./page_scripts.ts";
import type { RunningBrowser } from "./running_browser.ts";

export async function readText(
  browser: RunningBrowser,
  { tab: id, maxCharacters }: BrowserJobs["text"][0],
): Promise<BrowserJobs["text"][1]> {
  const tab = await browser.choose(id);
  let all = "";
  for (const frame of await listAllFrames(tab)) {
    const left = maxCharacters - all.length;
    if (left < 0) break;
    const expression = `(${PAGE_TEXT})(${left + 1})`; // one more tells that there is more
    const text = String(await evaluateApart(tab, expression, { frame }).catch(ifGone) ?? "");
    if (text !== "") all = all === "" ? text : `${all}\n${text}`;
  }
  const truncated = all.length > maxCharacters;
  const text = all.slice(0, maxCharacters).toWellFormed();
  return { tab: await browser.describe(tab), text, truncated };
}
