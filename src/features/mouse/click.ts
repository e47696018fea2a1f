/** Clicks: at the cursor or at a point, with modifiers held, single or double. */

import { ValueFault } from "../../errors.ts";
import type { Button, Key, Point } from "../../platform/types.ts";
import { checkOnScreen } from "../fields.ts";
import type { Turn } from "../input_turn.ts";
import { chordKeys, pressAll, releaseAll } from "../keyboard/chord.ts";
import type { Context } from "../operation.ts";
import type { Desk } from "../session.ts";
import { confirmInput, withInput } from "../with_input.ts";

/** The longest double-click time that a toolkit uses by default (Windows, Tk, Chromium: 500 ms), and a little for the clocks. */
const DOUBLE_CLICK_MS = 510;
/** Clicks that are further apart than this do not count as one double click. */
const DOUBLE_CLICK_DISTANCE = 8;

export interface ClickInput {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly modifiers: readonly string[];
  readonly display_num: number;
}

export function click(context: Context, at: ClickInput & { button: Button }): Promise<void> {
  const plan = planClick(at);
  return withInput(
    context,
    at.display_num,
    (desk) => clickOnDesk(desk, { ...plan, button: at.button, times: 1 }),
  );
}

/** Two clicks that every toolkit counts as one double click, and not as the end of a triple click. */
export function doubleClick(context: Context, at: ClickInput): Promise<void> {
  const plan = planClick(at);
  return withInput(context, at.display_num, async (desk, turn) => {
    await outliveLastClick(desk, plan.point, turn);
    await clickOnDesk(desk, { ...plan, button: "left", times: 2 });
  });
}

/** Moves to a point of the request, if it has one. */
export function moveIfGiven(desk: Desk, point: Point | undefined): void {
  if (!point) return;
  checkOnScreen(desk.display, point);
  desk.input.mouse.move(point);
}

/** @throws ValueFault when only one of the two coordinates was given. */
export function pointOf(at: { x?: number | undefined; y?: number | undefined }): Point | undefined {
  if (at.x === undefined && at.y === undefined) return undefined;
  if (at.x === undefined) throw new ValueFault("x", "x is needed too where y is given");
  if (at.y === undefined) throw new ValueFault("y", "y is needed too where x is given");
  return { x: at.x, y: at.y };
}

interface ClickPlan {
  readonly point: Point | undefined;
  readonly modifiers: readonly Key[];
}

function planClick(at: ClickInput): ClickPlan {
  return { point: pointOf(at), modifiers: chordKeys(at.modifiers, "modifiers") };
}

/** Clicks in the turn of another operation. */
export function clickOnDesk(
  desk: Desk,
  plan: ClickPlan & { button: Button; times: number },
): void | Promise<void> {
  if (plan.point) checkOnScreen(desk.display, plan.point);
  const prepared = desk.input.keyboard.prepare(plan.modifiers);
  return prepared ? prepared.then(() => sendClicks(desk, plan)) : sendClicks(desk, plan);
}

function sendClicks(desk: Desk, plan: ClickPlan & { button: Button; times: number }): void {
  const { mouse } = desk.input;
  moveIfGiven(desk, plan.point);
  const pressed: Key[] = [];
  try {
    pressAll(desk, plan.modifiers, pressed);
    for (let i = 0; i < plan.times; i++) {
      mouse.press(plan.button);
      mouse.release(plan.button);
    }
  } finally {
    releaseAll(desk, pressed);
  }
  desk.held.removeButton(plan.button);
  const click = { button: plan.button, at: plan.point, time: performance.now() };
  desk.lastClick = { ...click, confirmed: false };
}

/** Waits until the last click of this service can no longer count as the first of three. */
async function outliveLastClick(desk: Desk, point: Point | undefined, turn: Turn): Promise<void> {
  const last = desk.lastClick;
  if (!last || last.button !== "left") return;
  if (last.at && point && distance(last.at, point) > DOUBLE_CLICK_DISTANCE) return;
  if (performance.now() - last.time >= DOUBLE_CLICK_MS) return;
  await confirmInput(desk);
  await turn.pause(Math.max(0, last.time + DOUBLE_CLICK_MS - performance.now()));
}

function distance(a: Point, b: Point): number {
  return Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));
}
