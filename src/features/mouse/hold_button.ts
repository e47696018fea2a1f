/** Holds buttons beyond the request that pressed them. */

import type { Button } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { awaitPlaced } from "../input/after_click.ts";
import type { Effect } from "../input/effect.ts";
import { moveIfGiven } from "../input/send_click.ts";
import { type PlaceInput, sendInputAt } from "../targets/send_at.ts";

export interface ButtonInput extends PlaceInput {
  readonly button: Button;
}

export async function pressButton(
  context: Context,
  { button, ...at }: ButtonInput,
): Promise<Effect | void> {
  let forget = () => {};
  try {
    return await sendInputAt(context, at, async (displaySession, turn, point) => {
      const { display, input, held, clicks } = displaySession;
      const options = { turn, limits: context.config.limits };
      await awaitPlaced(displaySession, options); // a held button may be moved immediately
      await moveIfGiven(displaySession, point, options);
      if (!held.hasButton(button)) {
        const press = { button, displayNum: display.displayNum, at: point };
        clicks.separate(input.mouse, press);
        input.mouse.press(button);
        clicks.note(press, 1);
        forget = () => held.removeButton(button);
      }
      const release = () => {
        held.removeButton(button);
        input.mouse.release(button);
        input.confirm().catch(() => {}); // a closed display holds nothing down
      };
      held.addButton(button, { release, holder: context.holder });
      context.holder?.note(displaySession);
    }, "click");
  } catch (error) {
    forget(); // the system did not press the button
    throw error;
  }
}

export function releaseButton(
  context: Context,
  { button, ...at }: ButtonInput,
): Promise<Effect | void> {
  return sendInputAt(context, at, async (displaySession, turn, point) => {
    const { input, held } = displaySession;
    await moveIfGiven(displaySession, point, { turn, limits: context.config.limits });
    if (!held.hasButton(button)) return;
    held.removeButton(button);
    input.mouse.release(button);
  });
}
