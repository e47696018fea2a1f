/** Clicks: at the cursor or at a point, with modifiers held, one to three times. */

import { ValueFault } from "../../core/errors.ts";
import type { Button, Point } from "../../platform/types/mod.ts";
import { checkOnScreen } from "../fields.ts";
import { askWhetherDelivered } from "../input/after_click.ts";
import type { Turn } from "../input/input_turn.ts";
import { type MoveOptions, moveTo } from "./move.ts";
import { type ModifierOptions, withModifiers } from "./modifiers.ts";
import { chordKeys } from "../keyboard/chord.ts";
import type { Context } from "../context.ts";
import type { Desk } from "../session.ts";
import { confirmInput, withInput } from "../input/with_input.ts";
import type { Press } from "../input/click_history.ts";

export interface ClickInput {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly modifiers: readonly string[];
  readonly display_num: number;
}

/** How the button is clicked. */
export interface ClickKind {
  readonly button: Button;
  /** 1: a click, 2: a double click, 3: a triple click. */
  readonly times: number;
}

/** Several clicks are what every toolkit counts as one double or triple click, whatever was clicked before. */
export function click(context: Context, at: ClickInput, kind: ClickKind): Promise<void> {
  const plan = { point: pointOf(at), ...kind };
  const modifiers = chordKeys(at.modifiers, "modifiers");
  return withInput(context, at.display_num, (desk, turn) => {
    const options = { modifiers, turn, limits: context.config.limits };
    if (kind.times === 1 && modifiers.length === 0) return clickOnDesk(desk, plan, options);
    return clickInSteps(desk, plan, options);
  });
}

/** Moves to a point of the request, if it has one; see {@link moveTo}. */
export function moveIfGiven(
  desk: Desk,
  point: Point | undefined,
  options: MoveOptions,
): void | Promise<void> {
  if (!point) return;
  checkOnScreen(desk.display, point);
  return moveTo(desk, point, options);
}

/** @throws ValueFault when only one of the two coordinates was given. */
export function pointOf(at: { x?: number | undefined; y?: number | undefined }): Point | undefined {
  if (at.x === undefined && at.y === undefined) return undefined;
  if (at.x === undefined) throw new ValueFault("x", "x is needed too where y is given");
  if (at.y === undefined) throw new ValueFault("y", "y is needed too where x is given");
  return { x: at.x, y: at.y };
}

export interface ClickPlan extends ClickKind {
  readonly point: Point | undefined;
}

/** Clicks in the turn of another operation; returns nothing where that is done at once. */
export function clickOnDesk(
  desk: Desk,
  plan: ClickPlan,
  options: MoveOptions,
): void | Promise<void> {
  const moving = moveIfGiven(desk, plan.point, options);
  return moving ? moving.then(() => clickHere(desk, plan)) : clickHere(desk, plan);
}

function clickHere(desk: Desk, plan: ClickPlan): void {
  const { mouse } = desk.input;
  const press = pressOf(desk, plan);
  for (let i = 0; i < plan.times; i++) {
    desk.clicks.separate(mouse, press, { index: i, times: plan.times });
    mouse.press(plan.button);
    mouse.release(plan.button);
  }
  desk.held.removeButton(plan.button);
  desk.clicks.note(press, plan.times);
  askWhetherDelivered(desk);
}

/** What takes time: a click that is not to be counted with the last one, or that has modifiers. */
async function clickInSteps(
  desk: Desk,
  plan: ClickPlan,
  options: ModifierOptions,
): Promise<void> {
  if (plan.point) checkOnScreen(desk.display, plan.point);
  if (plan.times > 1) await outliveLastClick(desk, plan, options.turn);
  await withModifiers(desk, options, () => clickOnDesk(desk, plan, options));
}

/** Waits until the last click of this service can no longer count as a part of this one. */
async function outliveLastClick(desk: Desk, plan: ClickPlan, turn: Turn): Promise<void> {
  const press = pressOf(desk, plan);
  if (desk.clicks.restOf(press) === 0) return;
  await confirmInput(desk);
  await turn.pause(desk.clicks.restOf(press));
}

function pressOf(desk: Desk, { button, point }: ClickPlan): Press {
  return { button, displayNum: desk.display.displayNum, at: point };
}
