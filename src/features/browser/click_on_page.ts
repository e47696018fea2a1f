/** Clicks inside a page. */

import type { PageButton } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { type PlaceInput, readPlace } from "./page_place.ts";
import { inBrowser } from "./use_browser.ts";

export interface ClickInput extends PlaceInput {
  readonly button: PageButton;
  readonly click_count: number;
  readonly modifiers: readonly string[];
  readonly tab_id?: string | undefined;
}

export async function clickOnPage(context: Context, input: ClickInput): Promise<void> {
  await inBrowser(context, "click", {
    tab: input.tab_id,
    at: readPlace(context, input),
    button: input.button,
    count: input.click_count,
    modifiers: input.modifiers,
  });
}
