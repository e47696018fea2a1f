/** Turns the wheel notch by notch, slowly enough for programs to count every notch. */

import { requireCapability } from "../../../platform/capability.ts";
import type { Mouse } from "../../../platform/types/mod.ts";
import { chordKeys } from "../keyboard/press.ts";
import type { Context } from "../../context.ts";
import type { Effect } from "../effect.ts";
import { ifAlive, moveIfGiven } from "../clicks.ts";
import { confirmInput, type LeasedInput } from "../with_input.ts";
import { type PositionInput, sendInputAt } from "../targets/send_at.ts";
import { withModifiers } from "./click.ts";

/**
 * Pause between two notches, in milliseconds: Chromium merges notches that arrive while it is busy,
 * and scrolls less for the sum.
 */
const NOTCH_MS = 15;
/** Pixels per scroll event, about as many as one notch scrolls. */
const PIXELS_AT_ONCE = 100;

export interface ScrollInput extends PositionInput {
  readonly clicks: number;
  readonly horizontal_clicks: number;
  readonly unit: "notches" | "pixels";
  readonly modifiers: readonly string[];
}

export function scroll(context: Context, wheel: ScrollInput): Promise<Effect | void> {
  const modifiers = chordKeys(wheel.modifiers, "modifiers");
  return sendInputAt(context, wheel, (leased, point) => {
    const parts = planScroll(leased.displaySession.input.mouse, wheel);
    const act = () => {
      if (parts.length < 2 && modifiers.length === 0) return parts[0]?.();
      return withModifiers(leased, modifiers, () => sendParts(leased, parts));
    };
    const moving = moveIfGiven(leased, point);
    return moving ? moving.then(() => ifAlive(leased, act)) : act();
  });
}

type Part = () => void;

/**
 * The events to send, one after the other.
 * @throws ServiceError `unsupported` for pixels if the system cannot scroll by pixels
 */
function planScroll(mouse: Mouse, { clicks, horizontal_clicks, unit }: ScrollInput): Part[] {
  if (unit === "notches") {
    return partsUpTo(mouse.notchesAtOnce, { up: clicks, right: horizontal_clicks })
      .map((notches) => () => mouse.scroll(notches));
  }
  const wheel = requireCapability(mouse.pixels);
  return partsUpTo(PIXELS_AT_ONCE, { up: clicks, right: horizontal_clicks })
    .map((part) => () => wheel.scroll(part));
}

/** Splits both directions into parts of at most `most`, vertical first. */
function partsUpTo(
  most: number,
  { up, right }: { readonly up: number; readonly right: number },
): { up: number; right: number }[] {
  if (Math.abs(up) <= most && Math.abs(right) <= most && (most > 1 || up === 0 || right === 0)) {
    return up === 0 && right === 0 ? [] : [{ up, right }];
  }
  return [
    ...slices(up, most).map((part) => ({ up: part, right: 0 })),
    ...slices(right, most).map((part) => ({ up: 0, right: part })),
  ];
}

function slices(whole: number, most: number): number[] {
  const count = Math.ceil(Math.abs(whole) / most);
  const part = (index: number) => Math.min(most, Math.abs(whole) - index * most);
  return Array.from({ length: count }, (_, index) => Math.sign(whole) * part(index));
}

async function sendParts(
  { displaySession, lease }: LeasedInput,
  parts: readonly Part[],
): Promise<void> {
  for (const [index, send] of parts.entries()) {
    send();
    if (index + 1 === parts.length) return;
    await confirmInput(displaySession); // avoids a backlog that release-all could not stop
    await lease.pause(NOTCH_MS);
  }
}
