/** Moving the cursor, at once or along a line that takes a given time. */

import type { Mouse, Point } from "../../platform/types.ts";
import { clampToScreen } from "../fields.ts";
import type { Turn } from "../input_turn.ts";
import type { Context } from "../operation.ts";
import { withInput } from "../with_input.ts";

/** Time between two points of a slow movement. */
const STEP_MS = 8;

export interface MoveInput extends Point {
  readonly duration_ms: number;
  readonly display_num: number;
}

export function moveCursor(context: Context, to: MoveInput): Promise<void> {
  return withInput(context, to.display_num, ({ display, input }, turn) => {
    const target = clampToScreen(display, to);
    if (to.duration_ms > 0) return glide(input.mouse, target, to.duration_ms, turn);
    input.mouse.move(target);
  });
}

/** Moves in a straight line at constant speed; arrives after `durationMs`. */
export async function glide(
  mouse: Mouse,
  to: Point,
  durationMs: number,
  turn: Turn,
): Promise<void> {
  const from = await mouse.position();
  const start = performance.now();
  for (;;) {
    const done = Math.min(1, (performance.now() - start + STEP_MS) / durationMs);
    await turn.pause(Math.min(STEP_MS, Math.max(0, start + durationMs - performance.now())));
    mouse.move(pointBetween(from, to, done));
    if (done === 1) return;
  }
}

/** The point at `part` (0..1) of the way. */
export function pointBetween(from: Point, to: Point, part: number): Point {
  return {
    x: Math.round(from.x + (to.x - from.x) * part),
    y: Math.round(from.y + (to.y - from.y) * part),
  };
}
