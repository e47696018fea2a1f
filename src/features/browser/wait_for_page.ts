/** Waits for what a page shows. */

import { ValueFault } from "../../core/errors.ts";
import type { Context } from "../context.ts";
import { inBrowser } from "./in_browser.ts";
import { findPageElement } from "./use_browser.ts";

export interface WaitInput {
  readonly text?: string | undefined;
  readonly text_gone?: string | undefined;
  readonly url?: string | undefined;
  readonly ref_gone?: string | undefined;
  readonly loaded?: boolean | undefined;
  readonly tab_id?: string | undefined;
  readonly timeout_ms: number;
}

export async function waitForPage(context: Context, input: WaitInput) {
  const { text, text_gone: textGone, url, ref_gone: refGone, loaded } = input;
  if ([text, textGone, url, refGone].every((each) => each === undefined) && !loaded) {
    throw new ValueFault("text", "Give text, text_gone, url, ref_gone or loaded");
  }
  const gone = refGone === undefined ? undefined : findPageElement(context, refGone, "ref_gone");
  const { met, elapsedMs } = await inBrowser(context, "wait", {
    ...{ tab: input.tab_id, timeMs: input.timeout_ms },
    ...{ text, textGone, url, gone, loaded },
  });
  return { status: met ? "met" as const : "timeout" as const, elapsed_ms: elapsedMs };
}
