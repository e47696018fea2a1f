/** Fills stored values into a form: for each a click at its field, then the value, all in one turn of the display. */

import { ServiceError, ValueFault } from "../../core/errors.ts";
import type { Limits } from "../../config/limits.ts";
import type { Point } from "../../platform/types/mod.ts";
import { checkOnScreen, inField } from "../fields.ts";
import type { Turn } from "../input/input_turn.ts";
import { awaitClick } from "../input/after_click.ts";
import { DEFAULT_PACE, typeOnDesk } from "../keyboard/type_text.ts";
import { clickOnDisplay } from "../mouse/click.ts";
import type { Context } from "../context.ts";
import type { DisplaySession } from "../session.ts";

/** A point of an element of the request; `index` is where the element stands, for faults. */
export interface PointInRequest {
  readonly at: Point;
  readonly index: number;
}

/** A value and the field of the form that it is for. */
export interface Entry extends PointInRequest {
  readonly text: string;
}

/** Where and how the fields are filled in. */
interface FillIn {
  readonly displaySession: DisplaySession;
  readonly turn: Turn;
  /** Whether each field is emptied first. */
  readonly clear: boolean;
}

/** How often is looked whether a clicked window has the keyboard. */
const LOOK_MS = 5;

/**
 * Looks at once when the display is open.
 * @throws ValueFault on a point that is off the screen, before anything is looked up.
 */
export function checkPoints(
  context: Context,
  displayNum: number,
  points: readonly PointInRequest[],
): void | Promise<void> {
  const check = ({ display }: DisplaySession) => {
    for (const point of points) inField(fieldPath(point), () => checkOnScreen(display, point.at));
  };
  const displaySession = context.session.displaySession(displayNum);
  return displaySession instanceof Promise ? displaySession.then(check) : check(displaySession);
}

/** Where the point stands in the input. */
export function fieldPath({ index }: PointInRequest): readonly (string | number)[] {
  return ["authElements", index, "coordinates"];
}

/**
 * Nothing is clicked before all values are known to be typable.
 * If it fails half way, every key and button is released.
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

/** What the fault says must not tell which characters the value has. */
async function checkTypable(displaySession: DisplaySession, { text, index }: Entry): Promise<void> {
  try {
    await using _plan = await displaySession.input.keyboard.plan(text, {
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
  await clickOnDisplay(displaySession, { point: at, button: "left", times: 1 }, { turn, limits });
  await awaitFocus({ displaySession, turn, at }, limits);
  await typeOnDesk(context, { displaySession, turn, text, isSecret: true, clear, ...DEFAULT_PACE });
}

/** A secret must not be typed into another window than the one that was clicked. */
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
    // a display that has gone holds nothing down
    if (!(error instanceof ServiceError && error.code === "unavailable")) throw error;
  }
}
