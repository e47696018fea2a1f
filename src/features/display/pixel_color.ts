/** Reads the colour of one pixel. */

import type { Display, Point, Rgb } from "../../platform/types/mod.ts";
import { checkOnScreen } from "../fields.ts";
import type { Context } from "../context.ts";

export interface PixelInput extends Point {
  readonly display_num: number;
}

export function getPixelColor({ platform }: Context, at: PixelInput): Promise<Rgb> {
  const display = platform.displays.open(at.display_num);
  return display instanceof Promise
    ? display.then((opened) => readPixel(opened, at))
    : readPixel(display, at);
}

function readPixel(display: Display, at: Point): Promise<Rgb> {
  checkOnScreen(display, at);
  return display.pixel(at);
}
