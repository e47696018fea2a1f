/** Where the cursor is: a read, which waits for no input operation. */

import type { Point } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";

export async function getPosition(
  { session }: Context,
  { display_num }: { display_num: number },
): Promise<Point> {
  const { input } = await session.displaySession(display_num);
  return input.mouse.position();
}
