/** Reads the cursor's current image and position, and draws it into pictures. */

import type { CursorState, Picture, Point } from "../../types/mod.ts";
import type { X11Connection } from "./connection.ts";
import type { Fixes, XCursorImage } from "./extensions.ts";
import { over } from "../../../imaging/over.ts";

export function readCursor(connection: X11Connection, fixes: Fixes): Promise<XCursorImage> {
  return connection.call<XCursorImage>((done) => fixes.GetCursorImage(done));
}

export function cursorState(cursor: XCursorImage): CursorState {
  const { width, height, cursorSerial } = cursor;
  const { x, y } = topLeft(cursor);
  return { box: { x, y, width, height }, key: `${x},${y},${cursorSerial}` };
}

/** Draws the cursor over a picture whose top left pixel is at `origin` on the screen. */
export function drawCursor(picture: Picture, origin: Point, cursor: XCursorImage): void {
  const { x, y } = topLeft(cursor);
  const { cursorImage: image, width, height } = cursor;
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  for (let row = 0; row < height; row++) {
    const py = y - origin.y + row;
    if (py < 0 || py >= picture.height) continue;
    for (let column = 0; column < width; column++) {
      const px = x - origin.x + column;
      if (px < 0 || px >= picture.width) continue;
      const at = py * picture.width + px;
      const argb = view.getUint32((row * width + column) * 4, true);
      picture.pixels[at] = over(argb, picture.pixels[at]!);
    }
  }
}

function topLeft({ x, y, xhot, yhot }: XCursorImage): Point {
  return { x: x - xhot, y: y - yhot };
}
