/** Buttons that stay down after the request that pressed them. */

import type { Button } from "../../platform/types.ts";
import type { Context } from "../operation.ts";
import { withInput } from "../with_input.ts";

export interface ButtonInput {
  readonly button: Button;
  readonly display_num: number;
}

export function pressButton(context: Context, { button, display_num }: ButtonInput): Promise<void> {
  return withInput(context, display_num, ({ input, held }) => {
    if (!held.hasButton(button)) input.mouse.press(button);
    held.addButton(button, () => {
      held.removeButton(button);
      input.mouse.release(button);
      input.confirm().catch(() => {}); // a display that has gone holds nothing down
    });
  });
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
