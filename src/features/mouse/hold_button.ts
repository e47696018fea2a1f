/** Buttons that stay down after the request that pressed them. */

import type { Button } from "../../platform/types.ts";
import type { Context } from "../operation.ts";
import { withInput } from "../with_input.ts";

export interface ButtonInput {
  readonly button: Button;
  readonly display_num: number;
}

export async function pressButton(
  context: Context,
  { button, display_num }: ButtonInput,
): Promise<void> {
  let forget = () => {};
  try {
    await withInput(context, display_num, ({ input, held }) => {
      if (!held.hasButton(button)) {
        input.mouse.press(button);
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
  { button, display_num }: ButtonInput,
): Promise<void> {
  return withInput(context, display_num, ({ input, held }) => {
    if (!held.hasButton(button)) return;
    held.removeButton(button);
    input.mouse.release(button);
  });
}
