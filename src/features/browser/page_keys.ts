/** The keyboard inside pages. */

import type { Context } from "../context.ts";
import { inBrowser } from "./in_browser.ts";
import { findPageElement } from "./use_browser.ts";

export interface TypeInput {
  readonly text: string;
  readonly ref?: string | undefined;
  readonly tab_id?: string | undefined;
}

export async function typeOnPage(
  context: Context,
  { text, ref, tab_id: tab }: TypeInput,
): Promise<void> {
  const element = ref === undefined ? undefined : findPageElement(context, ref);
  await inBrowser(context, "type", { tab, element, text });
}

export interface KeyInput {
  readonly key: string;
  readonly repeat: number;
  readonly duration_ms: number;
  readonly tab_id?: string | undefined;
}

export async function pressPageKeys(
  context: Context,
  { key, repeat, duration_ms: durationMs, tab_id: tab }: KeyInput,
): Promise<void> {
  await inBrowser(context, "keys", { tab, keys: splitKeys(key), repeat, durationMs });
}

/** `ctrl++` has the plus key, as `+` alone does. */
function splitKeys(combination: string): readonly string[] {
  if (combination === "+") return ["+"];
  const plus = combination.endsWith("++");
  const keys = (plus ? combination.slice(0, -2) : combination).split("+");
  return plus ? [...keys, "+"] : keys;
}
