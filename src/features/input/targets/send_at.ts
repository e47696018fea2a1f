/** Sends input at a point, at the cursor, or at an element that a ref names. */

import { abortAfter, unlessAborted } from "../../../core/deadline.ts";
import { FieldError, importModules, ServiceError } from "../../../core/errors.ts";
import type { Point, Region } from "../../../platform/types/mod.ts";
import type { Context } from "../../context.ts";
import { awaitClick, awaitClickDelivered, awaitText, clickOnDisplay, moveTo } from "../clicks.ts";
import { type Effect, type InputTarget, sendInput } from "../effect.ts";
import type { InputLease } from "../input_lock.ts";
import { confirmInput, type LeasedInput, withInput } from "../with_input.ts";
import { requireGroup } from "../../permissions.ts";
import {
  isElement,
  type PositionFields,
  Refs,
  type RefTarget,
  type Revealed,
  type TextUse,
} from "./refs.ts";

/** How long all input of a display may wait for the program of one element, in milliseconds. */
const PROGRAM_TIMEOUT_MS = 10_000;

export type PositionInput = InputTarget & PositionFields;

/** What an operation does with the lock, at a point if the request names one or an element. */
type SendAt = (leased: LeasedInput, point: Point | undefined) => void | Promise<void>;

/**
 * {@link sendInput} at the position of the request. An element is revealed while the lock is held,
 * so that no other input moves it or the cursor before `send`; without one it stays synchronous.
 * @param use what `send` does with an element
 */
export function sendInputAt(
  context: Context,
  at: PositionInput,
  send: SendAt,
  use?: "click",
): Promise<Effect | void> {
  if (at.ref === undefined) {
    const point = toPoint(at);
    return sendInput(context, at, (leased) => send(leased, point));
  }
  const target = findTarget(context, at.ref, { displayNum: at.display_num });
  const there = { display_num: target.displayNum, effect: at.effect };
  return sendInput(context, there, async (leased) => {
    const { middle } = await reveal(target, leased, use);
    await checkMouse(target, middle, leased, use);
    await send(leased, middle);
    if (use === "click") await checkPress(target, leased);
  });
}

/** @throws FieldError when only one of the two coordinates is given. */
function toPoint(at: PositionFields): Point | undefined {
  if (at.x === undefined && at.y === undefined) return undefined;
  if (at.x === undefined) throw new FieldError("x", "If y is given, x is required, too");
  if (at.y === undefined) throw new FieldError("y", "If x is given, y is required, too");
  return { x: at.x, y: at.y };
}

/**
 * The element that a ref names, which also determines the display.
 * @throws ServiceError `conflict` for an unknown ref; FieldError on `display_num` when that names
 * another display.
 */
export function findTarget(
  { session }: Pick<Context, "session">,
  ref: string,
  { displayNum }: { readonly displayNum: number },
): RefTarget {
  const target = session.use(Refs).get(ref);
  if (displayNum === target.displayNum || displayNum === 1) return target; // 1 is also the default
  throw new FieldError(
    "display_num",
    `Element "${ref}" is on display ${target.displayNum}, not ${displayNum}: omit display_num`,
  );
}

/**
 * Scrolls an element into view and returns where it can be clicked. Input that was sent
 * before is handled first: it may be for what would be scrolled away, or open what covers it.
 * @throws ServiceError as {@link RefTarget.reveal}; `timed_out` when its program does not answer
 */
export async function reveal(
  target: RefTarget,
  leased: LeasedInput,
  use?: "click",
): Promise<Revealed> {
  await awaitText(leased); // browsers propose something for it, over what is below its field
  await awaitInput(leased);
  const revealed = await requestProgram(
    target,
    leased.lease,
    (signal) => target.reveal(signal, use),
  );
  const { middle } = revealed;
  const { width, height } = leased.displaySession.display.size;
  if (middle.x >= 0 && middle.x < width && middle.y >= 0 && middle.y < height) return revealed;
  throw new ServiceError(
    "conflict",
    `The ${target.description} is off the screen, at ${middle.x}, ${middle.y}: move its window`,
  );
}

/**
 * Moves the cursor to a point of an element, and sees that its program has the mouse there. While a
 * button is held down, programs receive moves as other events, so none is queried.
 * @throws ServiceError as {@link RefTarget.checkMouse}; `timed_out` when its program does not answer
 */
export async function checkMouse(
  target: Reached,
  at: Point,
  leased: LeasedInput,
  use?: "click",
): Promise<void> {
  const { displaySession, lease } = leased;
  if (!target.checkMouse || displaySession.held.buttons.length > 0) return;
  await requestProgram(target, lease, async (signal) => {
    await target.checkMouse!(
      at,
      async (to) => {
        signal.throwIfAborted(); // after the lease it would move the cursor of another operation
        await moveTo(leased, to);
        await confirmInput(displaySession);
      },
      signal,
      use,
    );
  });
}

/** @throws ServiceError as {@link RefTarget.checkPress} */
async function checkPress(target: Reached, leased: LeasedInput): Promise<void> {
  if (!target.checkPress || leased.displaySession.held.buttons.length > 0) return;
  await confirmInput(leased.displaySession);
  await requestProgram(target, leased.lease, (signal) => target.checkPress!(signal));
}

type Reached = Pick<RefTarget, "checkMouse" | "checkPress" | "description">;

/**
 * Resolves when programs have handled all input that was sent before: requests over another
 * channel could overtake keys, which would then arrive in another field, or a turn of the wheel.
 */
async function awaitInput(leased: LeasedInput): Promise<void> {
  const { displaySession, lease } = leased;
  const { delivery } = displaySession.display;
  await awaitClickDelivered(leased);
  await awaitClick(leased);
  if (!delivery.ready) return;
  await confirmInput(displaySession);
  await lease.until(Promise.all([delivery.use.handled(), delivery.use.keysHandled()]));
}

/** {@link awaitInput} with a lease of its own, for what queries programs and sends no input. */
export async function settleInput(context: Context, displayNum: number): Promise<void> {
  const { input } = await context.platform.displays.open(displayNum);
  if (!input.ready) return; // nothing was sent
  await withInput(context, displayNum, awaitInput);
}

/**
 * Runs a request to the program of an element, for a bounded time: all input of the display waits.
 * @throws ServiceError `timed_out`; the reason why the lease has ended
 */
export async function requestProgram<T>(
  { description }: Pick<RefTarget, "description">,
  lease: InputLease,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new ServiceError(
    "timed_out",
    `The program of the ${description} did not respond within ${PROGRAM_TIMEOUT_MS} ms`,
  );
  using bounded = abortAfter(PROGRAM_TIMEOUT_MS, lease.signal, late);
  return await unlessAborted(request(bounded.signal), bounded.signal);
}

// Gives an element the keyboard focus while an input operation holds the lock.

/**
 * Resolves when the element has the focus; keys may follow.
 * @param use the text that follows
 * @throws ServiceError as {@link RefTarget.focus}; `timed_out` when its program does not answer;
 * `forbidden` when it would need a click, and the group mouse is disabled
 */
export async function focusElement(
  context: Pick<Context, "actor" | "config">,
  target: Omit<RefTarget, "checkFocus">,
  leased: LeasedInput,
  use?: TextUse,
): Promise<void> {
  await awaitInput(leased);
  await requestProgram(target, leased.lease, async (signal) => {
    await target.focus(signal, async (at) => {
      signal.throwIfAborted(); // after the lease it would disturb another operation
      requireGroup(context, "mouse");
      await checkMouse(target, at, leased, "click");
      await clickAt(leased, at);
      await checkPress(target, leased);
    }, use);
  });
}

/**
 * Programs have handled all keys, and further ones reach the element: it, its window or its page can
 * have lost the keyboard at any key.
 * @throws ServiceError as {@link RefTarget.checkFocus}; `timed_out` when its program does not answer
 */
export async function checkFocus(target: RefTarget, leased: LeasedInput): Promise<void> {
  const { displaySession: { display: { delivery } }, lease } = leased;
  if (delivery.ready) await lease.until(delivery.use.keysHandled());
  await requestProgram(target, lease, (signal) => target.checkFocus(signal));
}

async function clickAt(leased: LeasedInput, at: Point): Promise<void> {
  await clickOnDisplay(leased, { point: at, button: "left", times: 1 });
  await awaitClick(leased);
}

// Keeps the field that a stored value is typed into out of the recordings of its display.

/**
 * Hides it until the value is typed and drawn; dispose of the result then.
 * @param field a point of it, or its element; `undefined`: whatever has the focus
 */
export async function hideField(
  { session }: Pick<Context, "session">,
  field: Point | RefTarget | undefined,
  leased: LeasedInput,
): Promise<Disposable> {
  // few operations hide fields
  const { Recordings } = await importModules(() => import("../../recording/recordings.ts"));
  const recordings = session.use(Recordings);
  // also while nothing is recorded: it stays black in what is recorded later
  const area = field && isElement(field) ? await findArea(field, leased) : field;
  return recordings.hideField(leased.displaySession.display, area);
}

/** `undefined` where its program does not report it: it has the focus, so the value can be typed. */
async function findArea(target: RefTarget, { lease }: LeasedInput): Promise<Region | undefined> {
  try {
    return (await requestProgram(target, lease, (signal) => target.reveal(signal))).area;
  } catch {
    lease.signal.throwIfAborted();
    return undefined;
  }
}
