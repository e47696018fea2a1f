/** Reads the text of a page. */

import type { Context } from "../context.ts";
import { redactCut } from "../secrets/redact_texts.ts";
import { redactTab, redactText } from "./redact_text.ts";
import { inBrowser } from "./in_browser.ts";

export async function readPageText(
  context: Context,
  { tab_id, max_characters }: {
    readonly tab_id?: string | undefined;
    readonly max_characters: number;
  },
) {
  const input = { tab: tab_id, maxCharacters: max_characters };
  const { tab, text, truncated } = await inBrowser(context, "text", input);
  return {
    tab: await redactTab(context, tab),
    text: await (truncated ? redactCut : redactText)(context, text),
    truncated,
  };
}
