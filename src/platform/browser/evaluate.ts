/** Runs scripts in pages, with the rights of the page. */

import type { BrowserJobs } from "../types/browser_jobs.ts";
import { CdpError } from "./cdp/connection.ts";
import type { RunningBrowser } from "./running_browser.ts";

const MAX_CHARACTERS = 200_000;
/** The browser stops the script by itself, a little earlier than the call. */
const MORE_MS = 1_000;
const STOPPED = { exceptionDetails: { text: "The script was stopped: it took too long" } };

export async function evaluate(
  browser: RunningBrowser,
  { tab: id, expression, timeMs }: BrowserJobs["evaluate"][0],
): Promise<BrowserJobs["evaluate"][1]> {
  const tab = await browser.choose(id);
  const ran = tab.call("Runtime.evaluate", {
    ...{ expression, timeout: timeMs, awaitPromise: true, returnByValue: true },
    userGesture: true,
  }, { timeoutMs: timeMs + MORE_MS });
  const { result, exceptionDetails } = await ran.catch((error) => {
    // all that the browser says of a script that it has stopped
    if (error instanceof CdpError && error.message === "Internal error") return STOPPED;
    throw error;
  });
  if (exceptionDetails !== undefined) {
    const { exception, text } = exceptionDetails;
    return cut(String(exception?.description ?? exception?.value ?? text), { threw: true });
  }
  const shown = result.unserializableValue ?? JSON.stringify(result.value) ?? "undefined";
  return cut(shown, { threw: false });
}

function cut(text: string, rest: { readonly threw: boolean }) {
  const truncated = text.length > MAX_CHARACTERS;
  return { text: text.slice(0, MAX_CHARACTERS).toWellFormed(), truncated, ...rest };
}
