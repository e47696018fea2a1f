/**
 * Where a request looks: the display, the region, and whether it uses pixels of the screen or of a
 * picture.
 */

import { ServiceError } from "../../core/errors.ts";
import type { Changes, Display, Region, Size } from "../../platform/types/mod.ts";
import { findFrame } from "../input/framed.ts";
import { checkShown, type Frame } from "../input/frames.ts";
import type { Context } from "../context.ts";
import { regionOnScreen, type WantedRegion } from "./region.ts";

export interface View {
  readonly display: Display;
  /** The picture whose pixels the request uses; without it, those of the screen. */
  readonly frame: Frame | undefined;
  /**
   * The region on a screen of the given size.
   * @throws ValueFault on the field that makes it extend beyond the screen or the picture
   */
  regionOf(size: Size): Region;
}

/**
 * @throws ValueFault on `frame` or `display_num`; ServiceError `unavailable` when there is no such
 * display.
 */
export async function openView(
  context: Context,
  input: { readonly frame?: string | undefined; readonly display_num: number },
  { within, ...wanted }: WantedRegion & { readonly within: readonly string[] },
): Promise<View> {
  const frame = input.frame === undefined
    ? undefined
    : findFrame(context, input.frame, { displayNum: input.display_num });
  const display = await context.platform.displays.open(frame?.displayNum ?? input.display_num);
  if (frame !== undefined) checkShown(frame, display);
  const regionOf = (size: Size) => regionOnScreen(wanted, { display, size, frame, within });
  return { display, frame, regionOf };
}

/** `undefined` for a display that does not report changes. */
export async function followChanges(display: Display): Promise<Changes | undefined> {
  try {
    return await display.watch();
  } catch (error) {
    if (error instanceof ServiceError && error.code === "unsupported") return undefined;
    throw error;
  }
}
