/**
 * The coordinates of the computer tools: pixels of the picture that `screenshot` returns. Its size
 * follows from that of the screen alone, so no call depends on an earlier one.
 */

import { Coordinates } from "../features/agents/coordinate_space.ts";
import type { Context } from "../features/context.ts";
import { fitSize, parseFit } from "../imaging/fit.ts";

/** What every model takes without shrinking it, which would shift all its coordinates. */
export const FIT = "claude-standard";

const NO_LIMITS = { maxWidth: undefined, maxHeight: undefined, maxEdge: undefined };

/** @throws ServiceError `unavailable` when there is no such display */
export async function findPictureSpace(
  { platform }: Pick<Context, "platform">,
  displayNum: number,
): Promise<Coordinates> {
  const { size: screen } = await platform.displays.open(displayNum);
  const size = fitSize(screen, { ...NO_LIMITS, fit: parseFit(FIT) });
  return new Coordinates({ kind: "picture", size }, screen);
}
