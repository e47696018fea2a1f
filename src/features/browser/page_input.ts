/** The mouse inside pages. */

import { ValueFault } from "../../core/errors.ts";
import type { PageButton, Point, PointerTarget } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { inBrowser } from "./in_browser.ts";
import { findPageElement } from "./use_browser.ts";

interface InTab {
  readonly tab_id?: string | undefined;
}

interface ClickInput extends PlaceInput, InTab {
  readonly button: PageButton;
  readonly click_count: number;
  readonly modifiers: readonly string[];
}

export async function clickOnPage(context: Context, input: ClickInput): Promise<void> {
  const { tab_id: tab, button, click_count: count, modifiers } = input;
  const at = readPlace(context, input);
  await inBrowser(context, "click", { tab, at, button, count, modifiers });
}

interface PointerInput extends PlaceInput, InTab {
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

interface DragInput extends InTab {
  readonly path: readonly Point[];
  readonly modifiers: readonly string[];
}

export async function dragOnPage(
  context: Context,
  { tab_id: tab, path, modifiers }: DragInput,
): Promise<void> {
  await inBrowser(context, "drag", { tab, path, modifiers });
}

interface ScrollInput extends PlaceInput, InTab {
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

// The place on a page that an operation names: an element, or a point.

interface PlaceInput {
  readonly ref?: string | undefined;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
}

/** @throws ValueFault when there is neither or both */
function readPlace(context: Context, { ref, x, y }: PlaceInput): PointerTarget {
  if (ref !== undefined) {
    if (x !== undefined || y !== undefined) {
      throw new ValueFault("ref", "Give either ref or x and y");
    }
    return { element: findPageElement(context, ref) };
  }
  if (x === undefined) throw new ValueFault("x", "Give ref, or x and y");
  if (y === undefined) throw new ValueFault("y", "y is needed too where x is given");
  return { point: { x, y } };
}
