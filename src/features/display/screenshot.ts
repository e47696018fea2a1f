/** A picture of a display, or of a region of it, as PNG. */

import { ValueFault } from "../../errors.ts";
import type { Display, Region } from "../../platform/types.ts";
import { checkOnScreen } from "../fields.ts";
import { Binary, type Context } from "../operation.ts";
import { encodePng } from "./png.ts";

export interface ScreenshotInput {
  readonly x: number;
  readonly y: number;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly display_num: number;
}

export async function takeScreenshot({ platform }: Context, input: ScreenshotInput) {
  const display = await platform.displays.open(input.display_num);
  const region = regionOf(display, input);
  const picture = await display.capture(region);
  return new Binary(await encodePng(picture), {
    "content-type": "image/png",
    "content-disposition": `inline; filename="display-${input.display_num}.png"`,
    "x-scale": "1",
    "cache-control": "no-store",
  });
}

/** @throws ValueFault when the region is not on the screen as a whole. */
function regionOf(display: Display, input: ScreenshotInput): Region {
  const { x, y } = input;
  checkOnScreen(display, { x, y });
  const { width: screenWidth, height: screenHeight } = display.size;
  const width = input.width ?? screenWidth - x;
  const height = input.height ?? screenHeight - y;
  const screen = `display ${display.displayNum} is ${screenWidth}x${screenHeight} pixels`;
  if (x + width > screenWidth) {
    throw new ValueFault("width", `The region ends at x ${x + width}, off the screen: ${screen}`);
  }
  if (y + height > screenHeight) {
    throw new ValueFault("height", `The region ends at y ${y + height}, off the screen: ${screen}`);
  }
  return { x, y, width, height };
}
