/** Removes values of the keychain from what pages say. */

import { InputError, ServiceError, ValueFault } from "../../core/errors.ts";
import type { BrowserTab } from "../../platform/types/mod.ts";
import { type Redacting, redactTexts } from "../secrets/redact_texts.ts";

export async function redactText(context: Redacting, text: string): Promise<string> {
  return (await redactTexts(context, [text])).shown[0]!;
}

/** Forms put what was typed into the address of the next page. */
export async function redactTab(context: Redacting, tab: BrowserTab): Promise<BrowserTab> {
  const { shown: [title, url] } = await redactTexts(context, [tab.title, tab.url]);
  return { ...tab, title: title!, url: url! };
}

/** Runs what may fail with names of elements, texts or addresses of a page in its message. */
export async function redactingErrors<T>(context: Redacting, run: () => Promise<T>): Promise<T> {
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
  if (error instanceof ValueFault) return new ValueFault(error.field, message);
  return new ServiceError(error.code, message, { cause: error.cause });
}
