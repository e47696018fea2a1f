/** Dragging: press here, move in steps, release there. */

import type { Button, Mouse, Point } from "../../platform/types.ts";
import { checkOnScreen } from "../fields.ts";
import type { Context } from "../operation.ts";
import { withInput } from "../with_input.ts";
import { glide, pointBetween } from "./move.ts";

/** Points of a drag that takes no time: programs start a drag only after some motion. */
const STEPS = 16;

export interface DragInput extends Point {
  readonly button: Button;
  readonly duration_ms: number;
  readonly display_num: number;
}

export function drag(context: Context, to: DragInput): Promise<void> {
  return withInput(context, to.display_num, async ({ display, input, held }, turn) => {
    checkOnScreen(display, to);
    const { mouse } = input;
    mouse.press(to.button);
    try {
      if (to.duration_ms > 0) await glide(mouse, to, to.duration_ms, turn);
      else moveInSteps(mouse, await mouse.position(), to);
    } finally {
      mouse.release(to.button);
      held.removeButton(to.button);
    }
  });
}

function moveInSteps(mouse: Mouse, from: Point, to: Point): void {
  for (let step = 1; step <= STEPS; step++) mouse.move(pointBetween(from, to, step / STEPS));
}
