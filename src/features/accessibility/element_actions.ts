/** What all actions on elements share: who does them, by which way, and what came of it. */

import { pause } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Element } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import type { ElementTarget } from "./element_target.ts";
import { activateWindow } from "./clickable_area.ts";

/** `auto`: the program, and real input where it refuses. */
export type Method = "auto" | "program" | "input";

export interface Acting {
  readonly context: Context;
  readonly target: ElementTarget;
  /** The ref of the target. */
  readonly ref: string;
  readonly method: Method;
}

/** After this time a program has taken back what it does not keep, in milliseconds. */
export const SETTLE_MS = 150;

export interface ElementActionResult {
  readonly result: "confirmed" | "unverified";
  readonly by: "program" | "input";
  /** One sentence. */
  readonly reason: string;
  /** The element as it was last seen; absent if it is gone. */
  readonly now?: Element | undefined;
}

/** Ends the reason of what a program was asked for and shows, where real input is surer. */
export const VISIBLE_ONLY = "but its program may not keep it: `input` is more reliable.";

export function confirmed(
  by: ElementActionResult["by"],
  reason: string,
  now?: Element,
): ElementActionResult {
  return { result: "confirmed", by, reason, now };
}

export function unverified(
  by: ElementActionResult["by"],
  reason: string,
  now?: Element,
): ElementActionResult {
  return { result: "unverified", by, reason, now };
}

/**
 * Whether a click is done with the real mouse where neither way was asked for; then its window is
 * the active one.
 */
export async function prefersInput(
  { context, target, method }: Acting,
  { needsInput }: Pick<Element, "needsInput">,
): Promise<boolean> {
  if (method !== "auto" || !needsInput || context.config.disabled.has("mouse")) return false;
  const { display } = await target.open();
  await activateWindow(display, target, context.signal);
  return true;
}

/** Clicks with the real mouse in the middle of what shows of the element. */
export async function clickForReal({ context, target, ref }: Acting): Promise<void> {
  await call(context, "mouse.left-click", { ref, display_num: target.displayNum });
}

/** Replaces the content of the element with the real keyboard. */
export async function typeForReal(
  { context, target, ref }: Acting,
  { text, clear }: { readonly text: string; readonly clear: boolean },
): Promise<void> {
  const typing = { text, clear, ref, typing_delay: TYPING_DELAY, display_num: target.displayNum };
  await call(context, "keyboard.type", typing);
}

/** Between two keys, in milliseconds; what has become of them is read back. */
const TYPING_DELAY = 2;

export async function pressForReal({ context, target }: Acting, key: string): Promise<void> {
  await call(context, "keyboard.key", { key, display_num: target.displayNum });
}

/** Operations check by themselves whether they are switched off. */
async function call({ calls, signal, inputScope }: Context, name: string, input: object) {
  await calls.prepare(name, input, { at: [] }).run({ signal, ...(inputScope && { inputScope }) });
}

/** Whether it is still so when the program has settled, and the element as it is then. */
export async function lasts(
  { target, context: { signal } }: Acting,
  isSo: (element: Element) => boolean,
): Promise<{ readonly so: boolean; readonly now: Element }> {
  await pause(SETTLE_MS, signal);
  const now = await target.refresh(signal);
  return { so: isSo(now), now };
}

/** Why real input cannot follow what a program has been asked; `undefined` if it has been sent. */
export async function attempt(send: () => Promise<void>): Promise<string | undefined> {
  try {
    await send();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && EXPECTED.has(error.code)) return error.message;
    throw error;
  }
}

/** Covered, gone, switched off, a character that no key has, a program that does not answer. */
const EXPECTED: ReadonlySet<string> = new Set([
  ...["conflict", "forbidden", "unsupported", "invalid", "timed_out"],
]);
