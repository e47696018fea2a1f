/** Clicks at the cursor or at a point, one to three times, with optional modifiers. */

import { checkOnScreen } from "../fields.ts";
import type { Turn } from "../input/input_turn.ts";
import { type ModifierOptions, withModifiers } from "./modifiers.ts";
import { chordKeys } from "../keyboard/chord.ts";
import type { Context } from "../context.ts";
import type { DisplaySession } from "../session.ts";
import type { Effect } from "../input/effect.ts";
import { confirmInput } from "../input/with_input.ts";
import {
  type ClickKind,
  clickOnDisplay,
  type ClickPlan,
  describePress,
} from "../input/send_click.ts";
import { type PlaceInput, sendInputAt } from "../targets/send_at.ts";

export interface ClickInput extends PlaceInput {
  readonly modifiers: readonly string[];
}

/**
 * Several clicks count as one double or triple click in every toolkit, whatever was clicked before.
 */
export function click(
  context: Context,
  at: ClickInput,
  kind: ClickKind,
): Promise<Effect | void> {
  const modifiers = chordKeys(at.modifiers, "modifiers");
  return sendInputAt(context, at, (displaySession, turn, point) => {
    const plan = { point, ...kind };
    const options = { modifiers, turn, limits: context.config.limits };
    if (kind.times === 1 && modifiers.length === 0) {
      return clickOnDisplay(displaySession, plan, options);
    }
    return clickInSteps(displaySession, plan, options);
  }, "click");
}

/**
 * Handles clicks that take time: those that must not be counted with the last one, and those with
 * modifiers.
 */
async function clickInSteps(
  displaySession: DisplaySession,
  plan: ClickPlan,
  options: ModifierOptions,
): Promise<void> {
  if (plan.point) checkOnScreen(displaySession.display, plan.point);
  if (plan.times > 1) await outliveLastClick(displaySession, plan, options.turn);
  await withModifiers(displaySession, options, () => clickOnDisplay(displaySession, plan, options));
}

/** Waits until the last click of this service can no longer count together with this one. */
async function outliveLastClick(
  displaySession: DisplaySession,
  plan: ClickPlan,
  turn: Turn,
): Promise<void> {
  const press = describePress(displaySession, plan);
  if (displaySession.clicks.remainingWait(press) === 0) return;
  await confirmInput(displaySession);
  await turn.pause(displaySession.clicks.remainingWait(press));
}
