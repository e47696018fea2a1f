/** Moves the cursor, immediately or along a line in a given time. */

import type { Point } from "../../../platform/types/mod.ts";
import type { Context } from "../../context.ts";
import { clampTo } from "../../fields.ts";
import { awaitClickDelivered, moveTo } from "../clicks.ts";
import { type Effect, sendCursor } from "../effect.ts";
import type { LeasedInput } from "../with_input.ts";
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
    send: (leased) => moveInTime(leased, target(leased.displaySession), durationMs),
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
    send: async (leased) => {
      ({ middle } = await reveal(target, leased));
      await moveInTime(leased, middle, durationMs);
      await checkMouse(target, middle, leased);
    },
  });
}

function moveInTime(leased: LeasedInput, to: Point, durationMs: number): void | Promise<void> {
  return durationMs > 0 ? glide(leased, to, durationMs) : moveTo(leased, to);
}

async function glide(leased: LeasedInput, to: Point, durationMs: number): Promise<void> {
  const { input: { mouse }, clicks } = leased.displaySession;
  await awaitClickDelivered(leased);
  leased.lease.check();
  clicks.noteMove(undefined);
  await moveAlong(leased, [await mouse.position(), to], durationMs);
}

/**
 * Moves from the first point through all others at constant speed, and reaches the last after
 * `durationMs`.
 */
export async function moveAlong(
  { displaySession, lease }: LeasedInput,
  points: readonly Point[],
  durationMs: number,
): Promise<void> {
  const { mouse } = displaySession.input;
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

/** The point at the fraction `part` (0..1) of the distance. */
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
