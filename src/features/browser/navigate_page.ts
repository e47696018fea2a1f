/** Loads pages in tabs. */

import { ValueFault } from "../../core/errors.ts";
import type { Navigation } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { redactAll } from "./browser_logs.ts";
import { redactTab } from "./redact_text.ts";
import { inBrowser } from "./in_browser.ts";

export interface NavigateInput {
  readonly tab_id?: string | undefined;
  readonly url?: string | undefined;
  readonly history?: "back" | "forward" | "reload" | undefined;
  readonly timeout_ms: number;
}

export async function navigatePage(
  context: Context,
  { tab_id, url, history, timeout_ms }: NavigateInput,
) {
  if ((url === undefined) === (history === undefined)) {
    throw new ValueFault("url", "Give either url or history");
  }
  const to = history === undefined ? { url: checkUrl(context, url!) } : { history };
  const input = { tab: tab_id, to, timeMs: timeout_ms };
  return await answerNavigation(context, await inBrowser(context, "navigate", input));
}

export async function openTab(
  context: Context,
  { url, timeout_ms }: { readonly url?: string | undefined; readonly timeout_ms: number },
) {
  const input = { url: url && checkUrl(context, url), timeMs: timeout_ms };
  return await answerNavigation(context, await inBrowser(context, "open", input));
}

async function answerNavigation(
  context: Context,
  { tab, loaded, httpStatus, download }: Navigation,
) {
  return {
    tab: await redactTab(context, tab),
    loaded,
    http_status: httpStatus ?? null,
    ...(download && { download: await redactAll(context, download) }),
  };
}

const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "data:", "blob:"]);

/**
 * A file is shown only where the files of the computer may be read.
 * @throws ValueFault on `url`
 */
function checkUrl({ config }: Context, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) {
    throw new ValueFault("url", "url must be a whole address such as https://example.org/");
  }
  // the browser's own pages (about:settings, about:quit) are blocked there, without an error
  const isBlank = url.protocol === "about:" && url.pathname === "blank";
  if (isBlank || SCHEMES.has(url.protocol)) return url.href;
  if (url.protocol === "file:" && !config.disabled.has("filesystem")) return url.href;
  throw new ValueFault(
    "url",
    "url must be about:blank or begin with http:, https:, data: or file:",
  );
}
