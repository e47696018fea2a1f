/** Where a colour is on the screen, as another program than the service sees it. */

import { dumpScreen } from "../../../support/xwd.ts";
import type { Rectangle } from "../../support/xwindow.ts";

/** `#rrggbb`. */
export type Colour = `#${string}`;

/** The smallest rectangle with all pixels of exactly this colour; `undefined` where there is none. */
export async function findColour(display: string, colour: Colour): Promise<Rectangle | undefined> {
  const wanted = parseInt(colour.slice(1), 16);
  const { width, height, rgb } = await dumpScreen(display);
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      if ((rgb[at]! << 16 | rgb[at + 1]! << 8 | rgb[at + 2]!) !== wanted) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  if (right < 0) return undefined;
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
