/**
 * What a request refers to: the display, the region, and whether it uses pixels of the screen or of
 * a picture.
 */

import { FieldError, ignoreCode } from "../../core/errors.ts";
import type { Changes, Display, Point, Region, Size } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { areaOnScreen, checkVisible, findFrame, type Frame } from "../input/frames.ts";

export interface View {
  readonly display: Display;
  /** The picture whose pixels the request uses; without it, those of the screen. */
  readonly frame: Frame | undefined;
  /**
   * The region on a screen of the given size.
   * @throws FieldError on the field that makes it extend beyond the screen or the picture
   */
  regionOf(size: Size): Region;
}

/**
 * @throws FieldError on `frame` or `display_num`; ServiceError `unavailable` when there is no such
 * display.
 */
export async function openView(
  context: Context,
  input: { readonly frame?: string | undefined; readonly display_num: number },
  { within, ...wanted }: WantedRegion & { readonly within: FieldPath },
): Promise<View> {
  const frame = input.frame === undefined
    ? undefined
    : findFrame(context, input.frame, { displayNum: input.display_num });
  const display = await context.platform.displays.open(frame?.displayNum ?? input.display_num);
  if (frame !== undefined) checkVisible(frame, display);
  return {
    display,
    frame,
    regionOf(size) {
      if (frame !== undefined) return regionInFrame(frame, wanted, { size, within });
      const name = `display ${display.displayNum} is ${size.width}x${size.height} pixels`;
      return regionWithin(wanted, size, { name, within });
    },
  };
}

/** `undefined` for a display that does not report changes. */
export async function followChanges(display: Display): Promise<Changes | undefined> {
  return await ignoreCode("unsupported", () => display.watch());
}

// Resolves the region of the screen that a request refers to.

/** Where the region is in the input: `["region"]`; empty when its fields are at the top level. */
type FieldPath = readonly string[];

/** A region as requested; a missing size extends to the right or lower edge. */
interface WantedRegion extends Point {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/**
 * The region of a picture, on a screen of the given size.
 * @throws FieldError on the field that makes the region extend beyond the picture or the screen
 */
function regionInFrame(
  frame: Frame,
  wanted: WantedRegion,
  { size, within }: { readonly size: Size; readonly within: FieldPath },
): Region {
  const { width, height } = frame.window;
  const name = `picture "${frame.id}" is ${width}x${height} pixels`;
  const area = areaOnScreen(frame, regionWithin(wanted, frame.window, { name, within }));
  if (area.x + area.width <= size.width && area.y + area.height <= size.height) return area;
  throw new FieldError(
    "frame",
    `The display is ${size.width}x${size.height} pixels now: picture "${frame.id}" shows an area outside of it`,
  );
}

function regionWithin(
  { x, y, ...rest }: WantedRegion,
  size: Size,
  { name, within }: { readonly name: string; readonly within: FieldPath },
): Region {
  const refuse = (field: keyof Region, what: string) => {
    throw new FieldError([...within, field], `${what}, off the screen: ${name}`);
  };
  if (x < 0 || x >= size.width) refuse("x", `The region starts at x ${x}`);
  if (y < 0 || y >= size.height) refuse("y", `The region starts at y ${y}`);
  const { width = size.width - x, height = size.height - y } = rest;
  if (x + width > size.width) refuse("width", `The region ends at x ${x + width}`);
  if (y + height > size.height) refuse("height", `The region ends at y ${y + height}`);
  return { x, y, width, height };
}
