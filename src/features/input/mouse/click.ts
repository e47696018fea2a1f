/** Clicks at the cursor or at a point, one to three times, with optional modifiers. */

import type { Button, Key } from "../../../platform/types/mod.ts";
import type { Context } from "../../context.ts";
import { checkOnScreen } from "../../fields.ts";
import {
  awaitClick,
  awaitClickDelivered,
  awaitHandled,
  awaitText,
  type ClickKind,
  clickOnDisplay,
  type ClickPlan,
  describePress,
  moveIfGiven,
} from "../clicks.ts";
import type { Effect } from "../effect.ts";
import type { InputLease } from "../input_lock.ts";
import { confirmInput } from "../with_input.ts";
import { chordKeys, pressAll, releaseAll } from "../keyboard/press.ts";
import type { DisplaySession } from "../display_sessions.ts";
import { type PositionInput, sendInputAt } from "../targets/send_at.ts";

export interface ClickInput extends PositionInput {
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
  return sendInputAt(context, at, (displaySession, lease, point) => {
    const plan = { point, ...kind };
    const options = { modifiers, lease };
    if (kind.times === 1 && modifiers.length === 0) {
      return clickOnDisplay(displaySession, plan, lease);
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
  if (plan.times > 1) await outliveLastClick(displaySession, plan, options.lease);
  await withModifiers(
    displaySession,
    options,
    () => clickOnDisplay(displaySession, plan, options.lease),
  );
}

/** Waits until the last click of this service can no longer count together with this one. */
async function outliveLastClick(
  displaySession: DisplaySession,
  plan: ClickPlan,
  lease: InputLease,
): Promise<void> {
  const press = describePress(displaySession, plan);
  if (displaySession.clicks.remainingWait(press) === 0) return;
  await confirmInput(displaySession);
  await lease.pause(displaySession.clicks.remainingWait(press));
}

// Holds modifiers during a mouse action.

interface ModifierOptions {
  readonly modifiers: readonly Key[];
  readonly lease: InputLease;
}

/**
 * Runs `act` with modifiers down. They go down when an earlier click has been delivered, and up
 * when the programs have what `act` sent: an event that is held back gets the modifiers at the time
 * of its delivery.
 */
export async function withModifiers(
  displaySession: DisplaySession,
  { modifiers, lease }: ModifierOptions,
  act: () => void | Promise<void>,
): Promise<void> {
  if (modifiers.length === 0) return await act();
  await awaitClick(displaySession, lease);
  await displaySession.keyboard.prepare(modifiers);
  const pressed: Key[] = [];
  try {
    pressAll(displaySession, modifiers, pressed);
    const acting = act();
    if (acting) await acting;
    const handling = awaitHandled(displaySession, lease);
    if (handling) await handling;
  } finally {
    releaseAll(displaySession, pressed);
  }
}

// Holds buttons beyond the request that pressed them.

interface ButtonInput extends PositionInput {
  readonly button: Button;
}

export async function pressButton(
  context: Context,
  { button, ...at }: ButtonInput,
): Promise<Effect | void> {
  let forget = () => {};
  try {
    return await sendInputAt(context, at, async (displaySession, lease, point) => {
      const { display, input, held, clicks } = displaySession;
      await awaitText(displaySession, lease);
      await awaitClickDelivered(displaySession, lease); // a held button may be moved immediately
      await moveIfGiven(displaySession, point, lease);
      if (!held.hasButton(button)) {
        const press = { button, displayNum: display.displayNum, at: point };
        clicks.separate(input.mouse, press);
        input.mouse.press(button);
        clicks.note(press, 1);
        forget = () => held.removeButton(button);
      }
      const release = () => {
        held.removeButton(button);
        input.mouse.release(button);
        input.confirm().catch(() => {}); // a closed display holds nothing down
      };
      held.addButton(button, { release, scope: context.inputScope });
      context.inputScope?.note(displaySession);
    }, "click");
  } catch (error) {
    forget(); // the system did not press the button
    throw error;
  }
}

export function releaseButton(
  context: Context,
  { button, ...at }: ButtonInput,
): Promise<Effect | void> {
  return sendInputAt(context, at, async (displaySession, lease, point) => {
    const { input, held } = displaySession;
    await moveIfGiven(displaySession, point, lease);
    if (!held.hasButton(button)) return;
    held.removeButton(button);
    input.mouse.release(button);
  });
}
