/** The cursor of a stream: its state, and how it is drawn into pictures. */

import type { CursorState, Picture, Point } from "../../types/mod.ts";
import { drawOver } from "../../../imaging/picture.ts";
import type { CursorImage } from "./frame.ts";

/** The cursor on the screen; `key` changes with its image and its position. */
export interface VisibleCursor {
  readonly position: Point;
  /** Absent where the compositor sends none. */
  readonly image: CursorImage | undefined;
  readonly key: string;
}

export const HIDDEN_CURSOR: CursorState = {
  box: { x: 0, y: 0, width: 0, height: 0 },
  key: "hidden",
};

export function cursorState({ position, image, key }: VisibleCursor): CursorState {
  if (image === undefined) return { box: { ...position, width: 0, height: 0 }, key };
  const { width, height } = image;
  return { box: { ...topLeft(position, image.hotspot), width, height }, key };
}

/** Draws the cursor over a picture whose top left pixel is at `origin` on the screen. */
export function drawCursor(
  picture: Picture,
  origin: Point,
  { position, image }: VisibleCursor,
): void {
  if (image === undefined) return;
  const { x, y } = topLeft(position, image.hotspot);
  drawOver(picture, image, { x: x - origin.x, y: y - origin.y });
}

function topLeft({ x, y }: Point, hotspot: Point): Point {
  return { x: x - hotspot.x, y: y - hotspot.y };
}
