/** Runs jobs in the browser of the service. */

import { FieldError, InputError, ServiceError } from "../../core/errors.ts";
import { requireCapability } from "../../platform/capability.ts";
import type { BrowserJobName, BrowserJobs, BrowserTab } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { type Redacting, redactTexts } from "../secrets/redact_texts.ts";

/** @throws ServiceError `unsupported` where the service has no browser; those of the job */
export async function inBrowser<N extends BrowserJobName>(
  context: Redacting & Pick<Context, "platform">,
  name: N,
  input: BrowserJobs[N][0],
): Promise<BrowserJobs[N][1]> {
  const browser = requireCapability(context.platform.browser);
  return await redactingErrors(context, () => browser.run(name, input, context.signal));
}

// Removes values of the keychain from what pages say.

export async function redactText(context: Redacting, text: string): Promise<string> {
  return (await redactTexts(context, [text])).shown[0]!;
}

/** Forms put what was typed into the address of the next page. */
export async function redactTab(context: Redacting, tab: BrowserTab): Promise<BrowserTab> {
  const { shown: [title, url] } = await redactTexts(context, [tab.title, tab.url]);
  return { ...tab, title: title!, url: url! };
}

/** Runs what may fail with names of elements, texts or addresses of a page in its message. */
async function redactingErrors<T>(context: Redacting, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof ServiceError ? await redactError(context, error) : error;
  }
}

async function redactError(context: Redacting, error: ServiceError): Promise<ServiceError> {
  if (error instanceof InputError) return error; // it names what the caller sent
  const message = await redactText(context, error.message);
  if (message === error.message) return error;
  if (error instanceof FieldError) return new FieldError(error.field, message);
  return new ServiceError(error.code, message, { cause: error.cause });
}
