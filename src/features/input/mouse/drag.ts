/** Drags: presses at the start, moves along a path, rests, and releases at the end. */

import { ServiceError } from "../../../core/errors.ts";
import type { Button, Point } from "../../../platform/types/mod.ts";
import type { Context } from "../../context.ts";
import { checkOnScreen, inField } from "../../fields.ts";
import { awaitClickDelivered, awaitText } from "../clicks.ts";
import { type Effect, sendInput } from "../effect.ts";
import { confirmInput, type LeasedInput } from "../with_input.ts";
import { chordKeys } from "../keyboard/press.ts";
import type { DisplaySession } from "../display_sessions.ts";
import {
  findOneDisplay,
  isElement,
  type Named,
  Refs,
  type RefTarget,
  type Revealed,
} from "../targets/refs.ts";
import { checkMouse, type PositionInput, reveal } from "../targets/send_at.ts";
import { withModifiers } from "./click.ts";
import { moveAlong, pointBetween } from "./move.ts";

/** Long enough for programs that start a drag in another process, short enough for the caller. */
export const DEFAULT_DRAG_MS = 300;
/**
 * Points on each segment of a drag without a duration: programs start a drag only after some
 * motion.
 */
const STEPS = 16;
/**
 * Rest at the start and at the end of a drag, in milliseconds: drag and drop involves other
 * processes, which need time.
 */
const DWELL_MS = 100;
/**
 * In pixels; more than the motion that any toolkit ignores as an unsteady click (Qt: 10 pixels).
 */
const BEGIN_DISTANCE = 14;
/**
 * The last motion, in pixels, is sent alone after all others have been handled: toolkits skip
 * motion that arrives in between.
 */
const END_DISTANCE = 3;

interface DragInput extends DragPositions {
  readonly path: readonly Point[];
  readonly button: Button;
  readonly modifiers: readonly string[];
  readonly duration_ms: number;
}

export function drag(context: Context, to: DragInput): Promise<Effect | void> {
  const modifiers = chordKeys(to.modifiers, "modifiers");
  const ends = findDragEnds(context, to);
  const there = { display_num: ends.displayNum, effect: to.effect };
  return sendInput(context, there, async (leased) => {
    const { displaySession } = leased;
    const plan = { ...to, ...await revealDragEnds(ends, leased) };
    checkPoints(displaySession, plan);
    await awaitText(leased);
    await awaitClickDelivered(leased);
    leased.lease.check();
    if (plan.from) displaySession.input.mouse.move(plan.from);
    await withModifiers(leased, modifiers, () => dragOnDisplay(leased, plan));
  });
}

/** A drag whose ends are points. */
type DragPath = Omit<DragInput, "from"> & DragPoints;

function checkPoints({ display }: DisplaySession, { to, from, path }: DragPath): void {
  checkOnScreen(display, to);
  if (from) inField(["from"], () => checkOnScreen(display, from));
  path.forEach((point, index) => inField(["path", index], () => checkOnScreen(display, point)));
}

async function dragOnDisplay(
  leased: LeasedInput,
  { button, from, path, to, duration_ms }: DragPath,
): Promise<void> {
  const { displaySession } = leased;
  const { mouse } = displaySession.input;
  const start = from ?? await mouse.position();
  leased.lease.check();
  const press = { button, displayNum: displaySession.display.displayNum, at: start };
  displaySession.clicks.separate(mouse, press);
  mouse.press(button);
  displaySession.clicks.note(press, 1);
  try {
    const points = [start, ...path, to];
    if (duration_ms === 0) moveInSteps(displaySession, points);
    else await moveNaturally(leased, points, duration_ms);
  } finally {
    mouse.release(button);
    displaySession.held.removeButton(button);
    displaySession.clicks.noteMove(undefined);
  }
}

/** Starts, rests, moves, rests just before the end, and rests at the end. */
async function moveNaturally(
  leased: LeasedInput,
  points: readonly Point[],
  durationMs: number,
): Promise<void> {
  const { mouse } = leased.displaySession.input;
  const [start, next, end, before] = [points[0]!, points[1]!, points.at(-1)!, points.at(-2)!];
  const begun = towards(start, next, BEGIN_DISTANCE);
  const nearEnd = towards(end, before, END_DISTANCE);
  for (let step = 1; step <= STEPS; step++) mouse.move(pointBetween(start, begun, step / STEPS));
  await dwell(leased);
  await moveAlong(leased, [begun, ...points.slice(1, -1), nearEnd], durationMs);
  await dwell(leased);
  mouse.move(end);
  await dwell(leased);
}

/** The point `pixels` towards another point, but at most half the distance. */
function towards(from: Point, to: Point, pixels: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return pointBetween(from, to, Math.min(0.5, pixels / Math.max(1, length)));
}

/**
 * Waits until the programs have the input, and a little longer: work in other processes is not
 * reported.
 */
async function dwell({ displaySession, lease }: LeasedInput): Promise<void> {
  await lease.until(confirmInput(displaySession));
  const { delivery } = displaySession.display;
  if (delivery.ready) await lease.until(delivery.use.handled());
  await lease.pause(DWELL_MS);
}

function moveInSteps({ input }: DisplaySession, points: readonly Point[]): void {
  for (const [index, to] of points.entries()) {
    const from = points[index - 1];
    if (from === undefined) continue;
    for (let step = 1; step <= STEPS; step++) {
      input.mouse.move(pointBetween(from, to, step / STEPS));
    }
  }
}

// Where a drag begins and ends, as points or as elements that refs name.

/** Either both coordinates or `ref` are present. */
interface DragPositions extends PositionInput {
  readonly from?: Point | { readonly ref: string } | undefined;
}

/** The ends of a drag, before it holds the lock. */
interface DragEnds {
  readonly displayNum: number;
  readonly to: Point | RefTarget;
  /** At the cursor without it. */
  readonly from: Point | RefTarget | undefined;
}

/** They are in pixels of the display. */
interface DragPoints {
  readonly to: Point;
  readonly from: Point | undefined;
}

/**
 * @throws ServiceError `conflict` for an unknown ref; FieldError for elements on different displays.
 */
function findDragEnds(context: Context, positions: DragPositions): DragEnds {
  const { x = 0, y = 0, ref, from, frame, display_num } = positions;
  const elements: Named[] = [];
  const find = (ref: string, field: readonly string[]) => {
    const target = context.session.use(Refs).get(ref);
    elements.push({ target, field });
    return target;
  };
  const to = ref === undefined ? { x, y } : find(ref, ["ref"]);
  const start = from !== undefined && "ref" in from ? find(from.ref, ["from", "ref"]) : from;
  const displayNum = findOneDisplay(elements, {
    displayNum: display_num,
    isFixed: frame !== undefined,
  });
  return { displayNum, to, from: start };
}

/** Most times that both ends are scrolled into view, one after the other. */
const MAX_ROUNDS = 3;

/**
 * Reveals the ends that are elements. Scrolling one into view can move the other one away, so the
 * other one is checked again until nothing was scrolled.
 * @throws ServiceError `conflict` when they are not visible at the same time
 */
async function revealDragEnds(ends: DragEnds, leased: LeasedInput): Promise<DragPoints> {
  const points = await findPoints(ends, leased);
  const { from } = ends;
  if (from !== undefined && isElement(from)) await checkMouse(from, points.from!, leased);
  return points;
}

async function findPoints({ from, to }: DragEnds, leased: LeasedInput): Promise<DragPoints> {
  const start = from !== undefined && isElement(from) ? await reveal(from, leased) : undefined;
  if (!isElement(to)) return { from: start?.middle ?? from as Point | undefined, to };
  const end = await reveal(to, leased);
  if (from === undefined || !isElement(from)) return { from, to: end.middle };
  return await revealBoth([to, end], from, leased);
}

/** The first element has just been revealed. */
async function revealBoth(
  [to, end]: readonly [RefTarget, Revealed],
  from: RefTarget,
  leased: LeasedInput,
): Promise<DragPoints> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const start = await reveal(from, leased);
    if (!start.scrolled) return { from: start.middle, to: end.middle };
    end = await reveal(to, leased);
    if (!end.scrolled) return { from: start.middle, to: end.middle };
  }
  throw new ServiceError(
    "conflict",
    `Cannot drag the ${from.description} to the ${to.description}: they are not visible at the same time`,
  );
}
