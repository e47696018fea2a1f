/** Moves the cursor and clicks within the turn of an operation. */

import type { Limits } from "../../config/limits.ts";
import type { Button, Point } from "../../platform/types/mod.ts";
import { checkOnScreen } from "../fields.ts";
import type { DisplaySession } from "../session.ts";
import { askWhetherDelivered, awaitPlaced } from "./after_click.ts";
import type { Press } from "./click_history.ts";
import type { Turn } from "./input_turn.ts";

/** How the button is clicked. */
export interface ClickKind {
  readonly button: Button;
  /** 1: a click, 2: a double click, 3: a triple click. */
  readonly times: number;
}

/** What a movement within an operation's turn needs. */
export interface MoveOptions {
  readonly turn: Turn;
  readonly limits: Pick<Limits, "focusWaitMs">;
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

/**
 * Moves as soon as no window manager holds back the last click, which the move would displace;
 * returns `undefined` if that is immediately.
 */
export function moveTo(
  displaySession: DisplaySession,
  to: Point,
  options: MoveOptions,
): void | Promise<void> {
  const waiting = awaitPlaced(displaySession, options, to);
  const move = () => {
    displaySession.input.mouse.move(to);
    displaySession.clicks.noteMove(to);
  };
  return waiting ? waiting.then(move) : move();
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

export function describePress(displaySession: DisplaySession, { button, point }: ClickPlan): Press {
  return { button, displayNum: displaySession.display.displayNum, at: point };
}
