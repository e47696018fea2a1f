/** Sends input at a point, at the cursor, or at an element that a ref names. */

import { abortAfter, unlessAborted } from "../../core/deadline.ts";
import { ServiceError, ValueFault } from "../../core/errors.ts";
import type { Limits } from "../../config/limits.ts";
import type { Point } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { awaitClick, awaitPlaced } from "../input/after_click.ts";
import type { Effect } from "../input/effect.ts";
import type { Turn } from "../input/input_turn.ts";
import { moveTo } from "../input/send_click.ts";
import { type InputTarget, sendInput } from "../input/observed_input.ts";
import { confirmInput, withInput } from "../input/with_input.ts";
import type { DisplaySession } from "../session.ts";
import type { RefTarget, Revealed } from "./refs.ts";

/** How long all input of a display may wait for the program of one element, in milliseconds. */
const PROGRAM_MS = 10_000;

/** Where an operation acts; at the cursor where nothing is given. */
export interface PlaceInput extends InputTarget {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly ref?: string | undefined;
}

/** What an operation does in its turn, at a point if the request names one or an element. */
export type SendAt = (
  displaySession: DisplaySession,
  turn: Turn,
  point: Point | undefined,
) => void | Promise<void>;

/**
 * {@link sendInput} at the place of the request. An element is revealed within the turn, so that no
 * other input moves it or the cursor before `send`; without one the turn stays synchronous.
 * @param use what `send` does with an element
 */
export function sendInputAt(
  context: Context,
  at: PlaceInput,
  send: SendAt,
  use?: "click",
): Promise<Effect | void> {
  if (at.ref === undefined) {
    const point = toPoint(at);
    return sendInput(context, at, (displaySession, turn) => send(displaySession, turn, point));
  }
  const target = findTarget(context, at.ref, { displayNum: at.display_num });
  const there = { display_num: target.displayNum, effect: at.effect };
  return sendInput(context, there, async (displaySession, turn) => {
    const { limits } = context.config;
    const inTurn = { displaySession, turn, limits };
    const { middle } = await reveal(target, inTurn, use);
    await checkMouse(target, middle, inTurn, use);
    await send(displaySession, turn, middle);
    if (use === "click") await checkPress(target, inTurn);
  });
}

/** @throws ValueFault when only one of the two coordinates is given. */
export function toPoint(at: { x?: number | undefined; y?: number | undefined }): Point | undefined {
  if (at.x === undefined && at.y === undefined) return undefined;
  if (at.x === undefined) throw new ValueFault("x", "x is needed too where y is given");
  if (at.y === undefined) throw new ValueFault("y", "y is needed too where x is given");
  return { x: at.x, y: at.y };
}

/**
 * The element that a ref names, which also determines the display.
 * @throws ServiceError `conflict` for an unknown ref; ValueFault on `display_num` when that names
 * another display.
 */
export function findTarget(
  { session }: Pick<Context, "session">,
  ref: string,
  { displayNum }: { readonly displayNum: number },
): RefTarget {
  const target = session.refs.get(ref);
  if (displayNum === target.displayNum || displayNum === 1) return target; // 1 is also the default
  throw new ValueFault(
    "display_num",
    `Element "${ref}" is on display ${target.displayNum}, not ${displayNum}: leave display_num out`,
  );
}

/** The turn of an input operation on a display. */
export interface InTurn {
  readonly displaySession: DisplaySession;
  readonly turn: Turn;
  readonly limits: Pick<Limits, "focusWaitMs">;
}

/**
 * Scrolls an element into view and returns where it can be clicked. Input that was sent
 * before is handled first: it may be for what would be scrolled away, or open what covers it.
 * @throws ServiceError as {@link RefTarget.reveal}; `timed_out` when its program does not answer
 */
export async function reveal(
  target: RefTarget,
  inTurn: InTurn,
  use?: "click",
): Promise<Revealed> {
  await awaitInput(inTurn);
  const revealed = await askProgram(target, inTurn.turn, (signal) => target.reveal(signal, use));
  const { middle } = revealed;
  const { width, height } = inTurn.displaySession.display.size;
  if (middle.x >= 0 && middle.x < width && middle.y >= 0 && middle.y < height) return revealed;
  throw new ServiceError(
    "conflict",
    `The ${target.description} is off the screen, at ${middle.x}, ${middle.y}: move its window`,
  );
}

/**
 * Moves the cursor to a point of an element, and sees that its program has the mouse there. While a
 * button is held down, programs are told of moves by other ways, so nobody is asked.
 * @throws ServiceError as {@link RefTarget.checkMouse}; `timed_out` when its program does not answer
 */
export async function checkMouse(
  target: Reached,
  at: Point,
  inTurn: InTurn,
  use?: "click",
): Promise<void> {
  const { displaySession, turn } = inTurn;
  if (!target.checkMouse || displaySession.held.buttons.length > 0) return;
  await askProgram(target, turn, async (signal) => {
    await target.checkMouse!(
      at,
      async (to) => {
        signal.throwIfAborted(); // after its turn it would move the cursor of another operation
        await moveTo(displaySession, to, inTurn);
        await confirmInput(displaySession);
      },
      signal,
      use,
    );
  });
}

/** @throws ServiceError as {@link RefTarget.checkPress} */
export async function checkPress(target: Reached, inTurn: InTurn): Promise<void> {
  if (!target.checkPress || inTurn.displaySession.held.buttons.length > 0) return;
  await confirmInput(inTurn.displaySession);
  await askProgram(target, inTurn.turn, (signal) => target.checkPress!(signal));
}

type Reached = Pick<RefTarget, "checkMouse" | "checkPress" | "description">;

/**
 * Resolves when programs have handled all input that was sent before: what they are asked by another
 * way could overtake keys, which would then arrive in another field, or a turn of the wheel.
 */
export async function awaitInput({ displaySession, turn, limits }: InTurn): Promise<void> {
  const { delivery } = displaySession.display;
  await awaitPlaced(displaySession, { turn, limits });
  await awaitClick(displaySession, turn, limits);
  if (!delivery.ready) return;
  await confirmInput(displaySession);
  await turn.until(Promise.all([delivery.use.handled(), delivery.use.keysHandled()]));
}

/** {@link awaitInput} in a turn of its own, for what asks programs and sends no input itself. */
export async function settleInput(context: Context, displayNum: number): Promise<void> {
  const { input } = await context.platform.displays.open(displayNum);
  if (!input.ready) return; // nothing was sent
  const { limits } = context.config;
  await withInput(context, displayNum, async (displaySession, turn) => {
    await awaitInput({ displaySession, turn, limits });
  });
}

/**
 * Runs what asks the program of an element, for a bounded time: all input of the display waits.
 * @throws ServiceError `timed_out`; the reason why the turn has ended
 */
export async function askProgram<T>(
  { description }: Pick<RefTarget, "description">,
  turn: Turn,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new ServiceError(
    "timed_out",
    `The program of the ${description} has not answered within ${PROGRAM_MS} ms`,
  );
  using bounded = abortAfter(PROGRAM_MS, turn.signal, late);
  return await unlessAborted(ask(bounded.signal), bounded.signal);
}
