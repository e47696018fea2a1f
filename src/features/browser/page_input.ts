/** The mouse inside pages. */

import { ValueFault } from "../../core/errors.ts";
import type { PageButton, Point } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { type PlaceInput, readPlace } from "./page_place.ts";
import { inBrowser } from "./in_browser.ts";

interface InTab {
  readonly tab_id?: string | undefined;
}

export interface ClickInput extends PlaceInput, InTab {
  readonly button: PageButton;
  readonly click_count: number;
  readonly modifiers: readonly string[];
}

export async function clickOnPage(context: Context, input: ClickInput): Promise<void> {
  const { tab_id: tab, button, click_count: count, modifiers } = input;
  const at = readPlace(context, input);
  await inBrowser(context, "click", { tab, at, button, count, modifiers });
}

export interface PointerInput extends PlaceInput, InTab {
  readonly action: "move" | "down" | "up";
  readonly button: PageButton;
}

export async function movePointer(context: Context, input: PointerInput): Promise<void> {
  const { tab_id, action, button } = input;
  const at = readPlace(context, input);
  const { tab } = await inBrowser(context, "pointer", { tab: tab_id, action, at, button });
  if (action === "move") return;
  const { platform, config, session, holder } = context; // not the context, which keeps its request
  holder?.noteElsewhere(`${tab} ${button}`, {
    isDown: action === "down",
    async release() {
      const signal = AbortSignal.timeout(RELEASE_MS);
      await inBrowser({ platform, config, session, signal }, "release", { tab, button });
    },
  });
}

/** How long the end of those who hold a button waits for its release. */
const RELEASE_MS = 2_000;

export interface DragInput extends InTab {
  readonly path: readonly Point[];
  readonly modifiers: readonly string[];
}

export async function dragOnPage(
  context: Context,
  { tab_id: tab, path, modifiers }: DragInput,
): Promise<void> {
  await inBrowser(context, "drag", { tab, path, modifiers });
}

export interface ScrollInput extends PlaceInput, InTab {
  readonly clicks: number;
  readonly horizontal_clicks: number;
}

export async function scrollPage(context: Context, input: ScrollInput): Promise<void> {
  const { tab_id: tab, clicks, horizontal_clicks: right, ref, x, y } = input;
  const hasPlace = ref !== undefined || x !== undefined || y !== undefined;
  if (!hasPlace && clicks === 0 && right === 0) {
    throw new ValueFault("clicks", "Give ref, clicks or horizontal_clicks");
  }
  const at = hasPlace ? readPlace(context, input) : undefined;
  await inBrowser(context, "scroll", { tab, at, right, down: clicks === 0 ? 0 : -clicks });
}
