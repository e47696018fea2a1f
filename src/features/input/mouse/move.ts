/** Moves the cursor, immediately or along a line in a given time. */

import type { Mouse, Point } from "../../../platform/types/mod.ts";
import type { Context } from "../../context.ts";
import { clampTo } from "../../fields.ts";
import { awaitClickDelivered, moveTo } from "../clicks.ts";
import { type Effect, sendCursor } from "../effect.ts";
import type { InputLease } from "../input_lock.ts";
import { type DisplaySession, DisplaySessions } from "../display_sessions.ts";
import { checkMouse, findTarget, type PositionInput, reveal } from "../targets/send_at.ts";

/** Time between two points of a slow movement, in milliseconds. */
const STEP_MS = 8;

/** Either both coordinates or `ref` are present. */
interface MoveInput extends PositionInput {
  readonly duration_ms: number;
}

export function moveCursor(context: Context, to: MoveInput): Promise<Effect | void> {
  if (to.ref !== undefined) return moveToElement(context, to, to.ref);
  const { x = 0, y = 0, duration_ms: durationMs } = to;
  const target = ({ display }: DisplaySession) => clampTo(display.size, { x, y });
  return sendCursor(context, to, {
    to: target,
    send: (displaySession, lease) =>
      moveInTime(displaySession, target(displaySession), { lease, durationMs }),
  });
}

function moveToElement(
  context: Context,
  { duration_ms: durationMs, display_num, effect }: MoveInput,
  ref: string,
): Promise<Effect | void> {
  const target = findTarget(context, ref, { displayNum: display_num });
  let middle: Point;
  return sendCursor(context, { display_num: target.displayNum, effect }, {
    to: () => middle,
    send: async (displaySession, lease) => {
      ({ middle } = await reveal(target, { displaySession, lease }));
      await moveInTime(displaySession, middle, { lease, durationMs });
      await checkMouse(target, middle, { displaySession, lease });
    },
  });
}

interface TimedMove {
  readonly lease: InputLease;
  readonly durationMs: number;
}

function moveInTime(
  displaySession: DisplaySession,
  to: Point,
  options: TimedMove,
): void | Promise<void> {
  return options.durationMs > 0
    ? glide(displaySession, to, options)
    : moveTo(displaySession, to, options.lease);
}

async function glide(
  displaySession: DisplaySession,
  to: Point,
  { durationMs, lease }: TimedMove,
): Promise<void> {
  const { mouse } = displaySession.input;
  await awaitClickDelivered(displaySession, lease);
  displaySession.clicks.noteMove(undefined);
  await moveAlong(mouse, [await mouse.position(), to], { durationMs, lease });
}

/**
 * Moves from the first point through all others at constant speed, and reaches the last after
 * `durationMs`.
 */
export async function moveAlong(
  mouse: Mouse,
  points: readonly Point[],
  { durationMs, lease }: { readonly durationMs: number; readonly lease: InputLease },
): Promise<void> {
  const start = performance.now();
  const lengths = measureLengths(points);
  let passed = 0;
  for (;;) {
    const done = Math.min(1, (performance.now() - start + STEP_MS) / durationMs);
    await lease.pause(Math.min(STEP_MS, Math.max(0, start + durationMs - performance.now())));
    const corner = lengths.findLastIndex((length) => length <= done);
    // visits every point of the path, even those that time has already passed
    while (passed < corner) mouse.move(points[++passed]!);
    if (done === 1) return;
    const part = (done - lengths[corner]!) / (lengths[corner + 1]! - lengths[corner]!);
    mouse.move(pointBetween(points[corner]!, points[corner + 1]!, part));
  }
}

/** The point at the fraction `part` (0..1) of the way. */
export function pointBetween(from: Point, to: Point, part: number): Point {
  return {
    x: Math.round(from.x + (to.x - from.x) * part),
    y: Math.round(from.y + (to.y - from.y) * part),
  };
}

/**
 * For each point, the fraction (0..1) of the whole length at which it lies; evenly spaced if the
 * length is zero.
 */
function measureLengths(points: readonly Point[]): number[] {
  const sums = [0];
  for (let i = 1; i < points.length; i++) {
    const [from, to] = [points[i - 1]!, points[i]!];
    sums.push(sums[i - 1]! + Math.hypot(to.x - from.x, to.y - from.y));
  }
  const whole = sums.at(-1)!;
  const last = points.length - 1;
  return sums.map((sum, index) => index === last ? 1 : whole === 0 ? index / last : sum / whole);
}

// Reads the cursor position, without waiting for input operations.

export async function getPosition(
  { session }: Context,
  { display_num }: { display_num: number },
): Promise<Point> {
  const { input } = await session.use(DisplaySessions).open(display_num);
  return input.mouse.position();
}
