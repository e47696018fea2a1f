/**
 * The coordinates of the computer tools: pixels of the picture that `screenshot` returns. Its size
 * follows from that of the screen alone, so no call depends on an earlier one.
 */

import { ValueFault } from "../core/errors.ts";
import type { Point, Region, Size } from "../core/geometry.ts";
import type { Context } from "../features/context.ts";
import { fitSize, parseFit } from "../imaging/fit.ts";

/** What every model takes without shrinking it, which would shift all its coordinates. */
export const FIT = "claude-standard";

export class PictureSpace {
  constructor(readonly screen: Size, readonly picture: Size) {}

  /**
   * The pixel of the screen at a point of the picture.
   * @throws ValueFault on `field` for a point off the picture
   */
  toScreen([x, y]: readonly number[], field = "coordinate"): Point {
    return {
      x: this.#across(Math.floor(x!), "width", { field, at: 0 }),
      y: this.#across(Math.floor(y!), "height", { field, at: 1 }),
    };
  }

  /** The area of the screen between two corners. */
  toRegion([x0, y0, x1, y1]: readonly number[], field = "region"): Region {
    const [left, right] = this.#edges(x0!, x1!, "width");
    const [top, bottom] = this.#edges(y0!, y1!, "height");
    if (left < right && top < bottom) {
      return { x: left, y: top, width: right - left, height: bottom - top };
    }
    const { width, height } = this.picture;
    throw new ValueFault(
      field,
      `The region should be [x0, y0, x1, y1] with x0 < x1 and y0 < y1 on the picture, which is ${width}x${height} pixels`,
    );
  }

  /** The pixel of the picture that shows a pixel of the screen. */
  fromScreen({ x, y }: Point): Point {
    return {
      x: Math.floor((x + 0.5) * this.picture.width / this.screen.width),
      y: Math.floor((y + 0.5) * this.picture.height / this.screen.height),
    };
  }

  #across(
    value: number,
    side: "width" | "height",
    { field, at }: { readonly field: string; readonly at: number },
  ): number {
    if (value < this.picture[side]) {
      return Math.floor((value + 0.5) * this.screen[side] / this.picture[side]);
    }
    const { width, height } = this.picture;
    throw new ValueFault(
      [field, at],
      `${value} is off the picture, which is ${width}x${height} pixels: take a screenshot`,
    );
  }

  #edges(from: number, to: number, side: "width" | "height"): [number, number] {
    const scale = this.screen[side] / this.picture[side];
    return [Math.floor(from * scale), Math.min(this.screen[side], Math.ceil(to * scale))];
  }
}

const NO_LIMITS = { maxWidth: undefined, maxHeight: undefined, maxEdge: undefined };

/** @throws ServiceError `unavailable` when there is no such display */
export async function findPictureSpace(
  { platform }: Pick<Context, "platform">,
  displayNum: number,
): Promise<PictureSpace> {
  const { size } = await platform.displays.open(displayNum);
  return new PictureSpace(size, fitSize(size, { ...NO_LIMITS, fit: parseFit(FIT) }));
}
