/** Removes values of the keychain from what pages say. */

import type { BrowserTab } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { createRedactor } from "../secrets/redact.ts";

export async function redactText({ config, session }: Context, text: string): Promise<string> {
  if (!config.redact || text === "") return text;
  const redactor = createRedactor(config, session.knownSecrets);
  await redactor.ready;
  const parts = [await redactor.push(new TextEncoder().encode(text)), await redactor.end()];
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}

/** Forms put what was typed into the address of the next page. */
export async function redactTab(context: Context, tab: BrowserTab): Promise<BrowserTab> {
  const title = await redactText(context, tab.title);
  return { ...tab, title, url: await redactText(context, tab.url) };
}
