/** What is a tab, and what it shows. */

import type { BrowserTab } from "../types/browser.ts";
import type { CdpResult } from "./cdp/connection.ts";
import { cut } from "./cut.ts";
import { evaluateApart } from "./own_world.ts";
import type { Tab } from "./tab.ts";

const LOOK_MS = 500;

export function isTab({ type, subtype, url }: CdpResult): boolean {
  return type === "page" && subtype !== "prerender" && !/^(devtools|chrome-extension):/.test(url);
}

export function describeTab(tab: Tab, active: Tab | undefined): BrowserTab {
  return { id: tab.id, title: cut(tab.title), url: cut(tab.url), active: tab === active };
}

/** Whether its page shows; `undefined` where the page does not answer at once. */
export async function isVisible(tab: Tab): Promise<boolean | undefined> {
  if (tab.dialog) return undefined;
  try {
    const options = { timeoutMs: LOOK_MS };
    return await evaluateApart(tab, "document.visibilityState === 'visible'", options) === true;
  } catch {
    return undefined;
  }
}
