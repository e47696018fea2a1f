/**
 * Fills stored values into a form, in one turn of the display: clicks each field, then types its
 * value.
 */

import { ServiceError, ValueFault } from "../../core/errors.ts";
import type { Limits } from "../../config/limits.ts";
import type { Point } from "../../platform/types/mod.ts";
import { checkOnScreen, inField } from "../fields.ts";
import type { Turn } from "../input/input_turn.ts";
import { awaitClick } from "../input/after_click.ts";
import { DEFAULT_PACE, typeOnDisplay } from "../keyboard/type_text.ts";
import { clickOnDisplay } from "../input/send_click.ts";
import { focusElement } from "../targets/focus_element.ts";
import { hideField } from "../targets/hide_field.ts";
import type { RefTarget } from "../targets/refs.ts";
import type { Context } from "../context.ts";
import type { DisplaySession } from "../session.ts";

/** Where an element of the request is filled in; `index` locates it in faults. */
export interface PlaceInRequest {
  readonly at: Point | RefTarget;
  readonly index: number;
}

/** A value and the form field for it. */
export interface Entry extends PlaceInRequest {
  readonly text: string;
}

/** Where and how to fill in the fields. */
interface FillIn {
  readonly displaySession: DisplaySession;
  readonly turn: Turn;
  /** Whether to empty each field first; by default, those that are given as elements. */
  readonly clear: boolean | undefined;
}

/** Interval between checks whether a clicked window has the keyboard focus, in milliseconds. */
const LOOK_MS = 5;

/**
 * Checks immediately if the display is open.
 * @throws ValueFault on a point outside the screen, before any value is looked up.
 */
export function checkPoints(
  context: Context,
  displayNum: number,
  places: readonly PlaceInRequest[],
): void | Promise<void> {
  const check = ({ display }: DisplaySession) => {
    for (const { at, index } of places) {
      if (!isElement(at)) inField(fieldPath({ index }), () => checkOnScreen(display, at));
    }
  };
  const displaySession = context.session.displaySession(displayNum);
  return displaySession instanceof Promise ? displaySession.then(check) : check(displaySession);
}

/** The path of the point in the input. */
export function fieldPath({ index }: Pick<PlaceInRequest, "index">): readonly (string | number)[] {
  return ["authElements", index, "coordinates"];
}

/**
 * Clicks nothing until all values are known to be typable. On a failure, every key and button is
 * released.
 */
export async function fillIn(
  context: Context,
  { entries, ...how }: FillIn & { readonly entries: readonly Entry[] },
): Promise<void> {
  for (const entry of entries) await checkTypable(how.displaySession, entry);
  try {
    for (const entry of entries) await fillField(context, { ...how, ...entry });
  } catch (error) {
    await releaseEverything(how.displaySession);
    throw error;
  }
}

/** Replaces the fault, which would reveal characters of the value. */
async function checkTypable(
  displaySession: DisplaySession,
  { at, text, index }: Entry,
): Promise<void> {
  if (isElement(at) && at.enterSecret) return;
  try {
    await using _plan = await displaySession.keyboard.plan(text, {
      delayMs: DEFAULT_PACE.typing_delay,
      isSecret: true,
    });
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
    throw new ValueFault(["authElements", index], "The stored value cannot be typed here");
  }
}

async function fillField(
  context: Context,
  { displaySession, turn, at, text, clear }: FillIn & Entry,
): Promise<void> {
  turn.signal.throwIfAborted();
  const { limits } = context.config;
  const target = isElement(at) ? at : undefined;
  if (isElement(at)) await focusElement(context, at, { displaySession, turn, limits }, "secret");
  else {
    await clickOnDisplay(displaySession, { point: at, button: "left", times: 1 }, { turn, limits });
    await awaitFocus({ displaySession, turn, at }, limits);
  }
  using _hidden = await hideField(context, at, { displaySession, turn, limits });
  await typeOnDisplay(context, {
    displaySession,
    turn,
    text,
    isSecret: true,
    clear: clear ?? target !== undefined,
    target,
    ...DEFAULT_PACE,
  });
}

export function isElement(at: Point | RefTarget): at is RefTarget {
  return "focus" in at;
}

/** A secret must not be typed into a window other than the clicked one. */
async function awaitFocus(
  { displaySession, turn, at }: { displaySession: DisplaySession; turn: Turn; at: Point },
  limits: Limits,
): Promise<void> {
  const deadline = performance.now() + limits.focusWaitMs;
  await awaitClick(displaySession, turn, limits);
  const { focus } = displaySession.display;
  while (focus.ready && await focus.use.keyTarget({ at }) === "elsewhere") {
    if (performance.now() >= deadline) {
      throw new ServiceError(
        "conflict",
        `Nothing was typed at ${at.x}, ${at.y}: the window there does not take the keyboard`,
      );
    }
    await turn.pause(LOOK_MS);
  }
}

async function releaseEverything(displaySession: DisplaySession): Promise<void> {
  displaySession.held.clear();
  try {
    await displaySession.input.releaseAll();
  } catch (error) {
    // a closed display holds nothing down
    if (!(error instanceof ServiceError && error.code === "unavailable")) throw error;
  }
}
