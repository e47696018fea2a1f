/**
 * The coordinates in which a model answers, and where they are on the screen: models name pixels of
 * a picture, or thousandths of it, never pixels of the screen.
 */

import { FieldError } from "../../core/errors.ts";
import type { Point, Region, Size } from "../../core/geometry.ts";
import { roundToEven } from "../../imaging/fit.ts";
import { clampTo } from "../fields.ts";
import { areaOnScreen, type Frame, type FrameGeometry, toScreen } from "../input/frames.ts";

/** What a model's coordinates count. */
export type CoordinateSpace =
  /** Pixels of a picture of the whole screen that has this size. */
  | { readonly kind: "picture"; readonly size: Size }
  /** Pixels of a picture that was sent. */
  | { readonly kind: "frame"; readonly frame: Frame }
  /** Thousandths of the screen's width and height, from 0 to `max`. */
  | { readonly kind: "thousandths"; readonly max: 999 | 1000 };

/** Two opposite corners: left, top, right, bottom; the last two are the first pixels outside. */
export type Box = readonly [number, number, number, number];

const THOUSAND = 1_000;

/** Converts between a {@link CoordinateSpace} and a screen of a given size. */
export class Coordinates {
  readonly #geometry: FrameGeometry;

  /** @param resize the size to which the model scales a picture of a size before it looks at it */
  constructor(
    private readonly space: CoordinateSpace,
    screen: Size,
    private readonly resize?: (size: Size) => Size,
  ) {
    this.#geometry = geometryOf(space, screen);
  }

  /**
   * The pixel of the screen at a point of the space. Fractions of a pixel are cut off, and the right
   * and lower edge, which models name now and then, mean the last pixel.
   * @throws FieldError on `field` when the point is outside
   */
  toScreen({ x, y }: Point, field: string): Point {
    const { region, window } = this.#geometry;
    const seen = this.resize?.(window) ?? window;
    if (!(x >= 0 && y >= 0 && x <= seen.width && y <= seen.height)) { // as NaN is
      throw new FieldError(field, `[${x}, ${y}] is outside ${this.#describe(seen)}`);
    }
    const named = clampTo(seen, { x: Math.floor(x), y: Math.floor(y) });
    const at = this.resize === undefined ? named : {
      x: centre(named.x, seen.width, window.width),
      y: centre(named.y, seen.height, window.height),
    };
    if (this.space.kind !== "thousandths") return toScreen(this.#geometry, at);
    return { x: thousandth(at.x, region.width), y: thousandth(at.y, region.height) };
  }

  /** The point of the space that shows a pixel of the screen; the nearest one if none does. */
  fromScreen({ x, y }: Point): Point {
    const { region, size, window } = this.#geometry;
    const at = {
      x: centre(x - region.x, region.width, size.width) - window.x,
      y: centre(y - region.y, region.height, size.height) - window.y,
    };
    return clampTo(window, at);
  }

  /**
   * The area of the screen inside a box of the space, with partly covered pixels.
   * @throws FieldError on `field` when the box is empty or extends beyond the space
   */
  areaOnScreen([left, top, right, bottom]: Box, field: string): Region {
    const { window } = this.#geometry;
    const part = { x: left, y: top, width: right - left, height: bottom - top };
    if (part.width <= 0 || part.height <= 0) {
      throw new FieldError(field, "it must go from the top left to the bottom right corner");
    }
    if (left < 0 || top < 0 || right > window.width || bottom > window.height) {
      throw new FieldError(field, `it extends beyond ${this.#describe(window)}`);
    }
    return areaOnScreen(this.#geometry, part);
  }

  #describe({ width, height }: Size): string {
    if (this.space.kind === "thousandths") return `0 to ${this.space.max}`;
    const as = this.resize === undefined ? "" : " as the model sees it";
    return `the picture${as}, which is ${width}x${height} pixels`;
  }
}

/** Its coordinates go from 0 to one less than the size of `window`. */
function geometryOf(space: CoordinateSpace, screen: Size): FrameGeometry {
  if (space.kind === "frame") return space.frame;
  const corner = { x: 0, y: 0 };
  const region = { ...corner, ...screen };
  if (space.kind === "picture") {
    return { region, size: space.size, window: { ...corner, ...space.size } };
  }
  const length = space.max + 1;
  const size = { width: THOUSAND, height: THOUSAND };
  return { region, size, window: { ...corner, width: length, height: length } };
}

/** The pixel of a line of `to` pixels at the centre of a pixel of a line of `from` pixels. */
function centre(pixel: number, from: number, to: number): number {
  return Math.floor((pixel + 0.5) * to / from);
}

/** As the vendors' own examples compute it: `int(x / 1000 * width)`, the last pixel for 1000. */
function thousandth(value: number, length: number): number {
  return Math.min(length - 1, Math.floor(value * length / THOUSAND));
}

// Scrolling, which models count in pixels and name by its direction.

/** About as much as programs scroll for one notch of the wheel. */
const PIXELS_PER_NOTCH = 100;

/** The nearest number of notches; at least one where there is anything to scroll. */
export function toNotches(pixels: number): number {
  if (pixels === 0) return 0;
  return Math.sign(pixels) * Math.max(1, Math.round(Math.abs(pixels) / PIXELS_PER_NOTCH));
}

export type Direction = "up" | "down" | "left" | "right";

/** Notches of the wheel in a direction. */
export function inDirection(
  direction: Direction,
  notches: number,
): { readonly down: number } | { readonly right: number } {
  const signed = direction === "down" || direction === "right" ? notches : -notches;
  return direction === "up" || direction === "down" ? { down: signed } : { right: signed };
}

// The size to which Qwen2.5-VL and the models made from it (UI-TARS 1.5) scale a picture before they
// look at it; their coordinates are pixels of that size. From Qwen's published image processor.

/** Side of a patch of the picture, in pixels: both sides become multiples of it. */
const FACTOR = 28;

/** Bounds of the area in pixels, as the model is served with. */
interface PixelBounds {
  readonly minPixels: number;
  readonly maxPixels: number;
}

export const DEFAULT_PIXEL_BOUNDS: PixelBounds = {
  minPixels: 4 * FACTOR * FACTOR,
  maxPixels: 16_384 * FACTOR * FACTOR,
};

export function smartResize(
  { width, height }: Size,
  { minPixels, maxPixels }: PixelBounds = DEFAULT_PIXEL_BOUNDS,
): Size {
  const scaled = (round: (value: number) => number, scale: number): Size => ({
    width: Math.max(FACTOR, round(width * scale / FACTOR) * FACTOR),
    height: Math.max(FACTOR, round(height * scale / FACTOR) * FACTOR),
  });
  const nearest = scaled(roundToEven, 1);
  const area = nearest.width * nearest.height;
  if (area > maxPixels) return scaled(Math.floor, Math.sqrt(maxPixels / (width * height)));
  if (area < minPixels) return scaled(Math.ceil, Math.sqrt(minPixels / (width * height)));
  return nearest;
}
