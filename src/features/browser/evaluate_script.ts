/** Runs scripts in pages, where that is allowed. */

import type { Context } from "../context.ts";
import { redactCut } from "../secrets/redact_texts.ts";
import { redactText } from "./redact_text.ts";
import { inBrowser } from "./in_browser.ts";
import { requireEvaluate } from "./use_browser.ts";

export interface EvaluateInput {
  readonly expression: string;
  readonly tab_id?: string | undefined;
  readonly timeout_ms: number;
}

export async function evaluateScript(
  context: Context,
  { expression, tab_id: tab, timeout_ms: timeMs }: EvaluateInput,
) {
  requireEvaluate(context);
  const { text, ...rest } = await inBrowser(context, "evaluate", { tab, expression, timeMs });
  return { ...rest, text: await (rest.truncated ? redactCut : redactText)(context, text) };
}
