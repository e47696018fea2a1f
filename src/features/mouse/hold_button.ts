/** Buttons that stay down after the request that pressed them. */

import type { Button } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { awaitPlaced } from "../input/after_click.ts";
import { withInput } from "../input/with_input.ts";
import { moveIfGiven, pointOf } from "./click.ts";

export interface ButtonInput {
  readonly button: Button;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly display_num: number;
}

export async function pressButton(
  context: Context,
  { button, display_num, ...at }: ButtonInput,
): Promise<void> {
  const point = pointOf(at);
  let forget = () => {};
  try {
    await withInput(context, display_num, async (desk, turn) => {
      const { display, input, held, clicks } = desk;
      const options = { turn, limits: context.config.limits };
      await awaitPlaced(desk, options); // what is held may be moved at once
      await moveIfGiven(desk, point, options);
      if (!held.hasButton(button)) {
        const press = { button, displayNum: display.displayNum, at: point };
        clicks.separate(input.mouse, press);
        input.mouse.press(button);
        clicks.note(press, 1);
        forget = () => held.removeButton(button);
      }
      held.addButton(button, () => {
        held.removeButton(button);
        input.mouse.release(button);
        input.confirm().catch(() => {}); // a display that has gone holds nothing down
      });
    });
  } catch (error) {
    forget(); // the system has not pressed it
    throw error;
  }
}

export function releaseButton(
  context: Context,
  { button, display_num, ...at }: ButtonInput,
): Promise<void> {
  const point = pointOf(at);
  return withInput(context, display_num, async (desk, turn) => {
    const { input, held } = desk;
    await moveIfGiven(desk, point, { turn, limits: context.config.limits });
    if (!held.hasButton(button)) return;
    held.removeButton(button);
    input.mouse.release(button);
  });
}
