/** Turning the wheel. */

import type { Context } from "../operation.ts";
import { withInput } from "../with_input.ts";
import { moveIfGiven, pointOf } from "./click.ts";

export interface ScrollInput {
  readonly clicks: number;
  readonly horizontal_clicks: number;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly display_num: number;
}

export function scroll(context: Context, wheel: ScrollInput): Promise<void> {
  const point = pointOf(wheel);
  return withInput(context, wheel.display_num, (desk) => {
    moveIfGiven(desk, point);
    desk.input.mouse.scroll({ up: wheel.clicks, right: wheel.horizontal_clicks });
  });
}
