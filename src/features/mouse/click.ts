/** Clicks at the cursor or at a point, one to three times, with optional modifiers. */

import { ValueFault } from "../../core/errors.ts";
import type { Button, Point } from "../../platform/types/mod.ts";
import { checkOnScreen } from "../fields.ts";
import { askWhetherDelivered } from "../input/after_click.ts";
import type { Turn } from "../input/input_turn.ts";
import { type MoveOptions, moveTo } from "./move.ts";
import { type ModifierOptions, withModifiers } from "./modifiers.ts";
import { chordKeys } from "../keyboard/chord.ts";
import type { Context } from "../context.ts";
import type { DisplaySession } from "../session.ts";
import type { Effect } from "../input/effect.ts";
import { type InputTarget, sendInput } from "../input/observed_input.ts";
import { confirmInput } from "../input/with_input.ts";
import type { Press } from "../input/click_history.ts";

export interface ClickInput extends InputTarget {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly modifiers: readonly string[];
}

/** How the button is clicked. */
export interface ClickKind {
  readonly button: Button;
  /** 1: a click, 2: a double click, 3: a triple click. */
  readonly times: number;
}

/**
 * Several clicks count as one double or triple click in every toolkit, whatever was clicked before.
 */
export function click(
  context: Context,
  at: ClickInput,
  kind: ClickKind,
): Promise<Effect | void> {
  const plan = { point: toPoint(at), ...kind };
  const modifiers = chordKeys(at.modifiers, "modifiers");
  return sendInput(context, at, (displaySession, turn) => {
    const options = { modifiers, turn, limits: context.config.limits };
    if (kind.times === 1 && modifiers.length === 0) {
      return clickOnDisplay(displaySession, plan, options);
    }
    return clickInSteps(displaySession, plan, options);
  });
}

/** Moves to the point of the request, if it has one; see {@link moveTo}. */
export function moveIfGiven(
  displaySession: DisplaySession,
  point: Point | undefined,
  options: MoveOptions,
): void | Promise<void> {
  if (!point) return;
  checkOnScreen(displaySession.display, point);
  return moveTo(displaySession, point, options);
}

/** @throws ValueFault when only one of the two coordinates is given. */
export function toPoint(at: { x?: number | undefined; y?: number | undefined }): Point | undefined {
  if (at.x === undefined && at.y === undefined) return undefined;
  if (at.x === undefined) throw new ValueFault("x", "x is needed too where y is given");
  if (at.y === undefined) throw new ValueFault("y", "y is needed too where x is given");
  return { x: at.x, y: at.y };
}

export interface ClickPlan extends ClickKind {
  readonly point: Point | undefined;
}

/** Clicks in the turn of another operation; returns `undefined` if it finishes synchronously. */
export function clickOnDisplay(
  displaySession: DisplaySession,
  plan: ClickPlan,
  options: MoveOptions,
): void | Promise<void> {
  const moving = moveIfGiven(displaySession, plan.point, options);
  return moving
    ? moving.then(() => clickHere(displaySession, plan))
    : clickHere(displaySession, plan);
}

function clickHere(displaySession: DisplaySession, plan: ClickPlan): void {
  const { mouse } = displaySession.input;
  const press = describePress(displaySession, plan);
  for (let i = 0; i < plan.times; i++) {
    displaySession.clicks.separate(mouse, press, { index: i, times: plan.times });
    mouse.press(plan.button);
    mouse.release(plan.button);
  }
  displaySession.held.removeButton(plan.button);
  displaySession.clicks.note(press, plan.times);
  askWhetherDelivered(displaySession);
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

function describePress(displaySession: DisplaySession, { button, point }: ClickPlan): Press {
  return { button, displayNum: displaySession.display.displayNum, at: point };
}
