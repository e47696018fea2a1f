/** Runs jobs in the browser of the service. */

import { requireCapability } from "../../platform/capability.ts";
import type { BrowserJobName, BrowserJobs, BrowserTab } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { redactError, type Redacting, redactTexts } from "../secrets/redact_texts.ts";

/** @throws ServiceError `unsupported` where the service has no browser; those of the job */
export async function inBrowser<N extends BrowserJobName>(
  context: Redacting & Pick<Context, "platform">,
  name: N,
  input: BrowserJobs[N][0],
): Promise<BrowserJobs[N][1]> {
  const browser = requireCapability(context.platform.browser);
  try {
    return await browser.run(
      name,
      input,
      context.signal,
      async (texts) => (await redactTexts(context, texts)).redacted,
    );
  } catch (error) { // its message can have names of elements, texts or addresses of a page
    throw await redactError(context, error);
  }
}

// Removes values of the keychain from what pages say.

/** Forms put what was typed into the address of the next page. */
export async function redactTab(context: Redacting, tab: BrowserTab): Promise<BrowserTab> {
  const { redacted: [title, url] } = await redactTexts(context, [tab.title, tab.url]);
  return { ...tab, title: title!, url: url! };
}

/** Without values of the keychain; all texts at once, since they are bounded. Numbers stay. */
export async function redactAll<T>(context: Redacting, value: T): Promise<T> {
  const texts: string[] = [];
  mapTexts(value, (text) => void texts.push(text));
  const { redacted } = await redactTexts(context, texts);
  let at = 0;
  return mapTexts(value, () => redacted[at++]);
}

function mapTexts<T>(value: T, change: (text: string) => string | undefined | void): T {
  return JSON.parse(
    JSON.stringify(value, (_, each) => typeof each === "string" ? change(each) ?? "" : each),
  );
}
