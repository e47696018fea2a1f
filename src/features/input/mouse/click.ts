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
import { holding } from "../input_lock.ts";
import { confirmInput, type LeasedInput } from "../with_input.ts";
import { chordKeys, prepareKeys, pressAll, releaseAll } from "../keyboard/press.ts";
import { type PositionInput, sendInputAt } from "../targets/send_at.ts";

export interface ClickInput extends PositionInput {
  readonly modifiers: readonly string[];
}

/**
 * Several clicks count as one double or triple click in every toolkit, whatever was clicked before.
 */
export function click(context: Context, at: ClickInput, kind: ClickKind): Promise<Effect | void> {
  const modifiers = chordKeys(at.modifiers, "modifiers");
  return sendInputAt(context, at, (leased, point) => {
    const plan = { point, ...kind };
    if (kind.times === 1 && modifiers.length === 0) return clickOnDisplay(leased, plan);
    return clickInSteps(leased, plan, modifiers);
  }, "click");
}

/**
 * Handles clicks that take time: those that must not be counted with the last one, and those with
 * modifiers.
 */
async function clickInSteps(
  leased: LeasedInput,
  plan: ClickPlan,
  modifiers: readonly Key[],
): Promise<void> {
  if (plan.point) checkOnScreen(leased.displaySession.display, plan.point);
  if (plan.times > 1) await outliveLastClick(leased, plan);
  await withModifiers(leased, modifiers, () => clickOnDisplay(leased, plan));
}

/** Waits until the last click of this service can no longer count together with this one. */
async function outliveLastClick(
  { displaySession, lease }: LeasedInput,
  plan: ClickPlan,
): Promise<void> {
  const press = describePress(displaySession, plan);
  if (displaySession.clicks.remainingWait(press) === 0) return;
  await confirmInput(displaySession);
  await lease.pause(displaySession.clicks.remainingWait(press));
}

// Holds modifiers during a mouse action.

/**
 * Runs `act` with modifiers down. They go down when an earlier click has been delivered, and up
 * when the programs have what `act` sent: an event that is held back gets the modifiers at the time
 * of its delivery.
 */
export async function withModifiers(
  leased: LeasedInput,
  modifiers: readonly Key[],
  act: () => void | Promise<void>,
): Promise<void> {
  if (modifiers.length === 0) return await act();
  const { displaySession } = leased;
  await awaitClick(leased);
  await prepareKeys(leased, modifiers);
  const pressed: Key[] = [];
  try {
    pressAll(displaySession, modifiers, pressed);
    const acting = act();
    if (acting) await acting;
    const handling = awaitHandled(leased);
    if (handling) await handling;
  } finally {
    releaseAll(displaySession, pressed);
  }
}

// Holds buttons beyond the request that pressed them.

interface ButtonInput extends PositionInput {
  readonly button: Button;
}

export function pressButton(
  context: Context,
  { button, ...at }: ButtonInput,
): Promise<Effect | void> {
  return holding((note) =>
    sendInputAt(context, at, async (leased, point) => {
      const { displaySession } = leased;
      const { display, input, held, clicks } = displaySession;
      await awaitText(leased);
      await awaitClickDelivered(leased); // a held button may be moved immediately
      leased.lease.check();
      await moveIfGiven(leased, point);
      leased.lease.check();
      note(held.holdButton(button, {
        press() {
          const press = { button, displayNum: display.displayNum, at: point };
          clicks.separate(input.mouse, press);
          input.mouse.press(button);
          clicks.note(press, 1);
        },
        release() {
          input.mouse.release(button);
          clicks.noteRelease(button);
          input.confirm().catch(() => {}); // a closed display holds nothing down
        },
        scope: context.inputScope,
      }));
      context.inputScope?.note(displaySession);
    }, "click")
  );
}

export function releaseButton(
  context: Context,
  { button, ...at }: ButtonInput,
): Promise<Effect | void> {
  return sendInputAt(context, at, async (leased, point) => {
    const { input, held, clicks } = leased.displaySession;
    await moveIfGiven(leased, point);
    if (!held.hasButton(button)) return;
    held.removeButton(button);
    input.mouse.release(button);
    clicks.noteRelease(button);
  });
}
