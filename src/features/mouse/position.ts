/** Reads the cursor position, without waiting for input operations. */

import type { Point } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";

export async function getPosition(
  { session }: Context,
  { display_num }: { display_num: number },
): Promise<Point> {
  const { input } = await session.displaySession(display_num);
  return input.mouse.position();
}
