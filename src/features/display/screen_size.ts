/** Reads the size of a display. */

import type { Size } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";

export async function getScreenSize(
  { platform }: Context,
  { display_num }: { display_num: number },
): Promise<Size> {
  const { size } = await platform.displays.open(display_num);
  return { width: size.width, height: size.height };
}
