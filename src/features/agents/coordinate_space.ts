/**
 * The coordinates in which a model answers, and where they are on the screen: models name pixels of
 * a picture, or thousandths of it, never pixels of the screen.
 */

import { FieldError } from "../../core/errors.ts";
import type { Point, Region, Size } from "../../core/geometry.ts";
import { areaOnScreen, type Frame, toScreen } from "../input/frames.ts";

/** What a model's coordinates count. */
export type CoordinateSpace =
  /** Pixels of the screen. */
  | { readonly kind: "screen" }
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
  constructor(private readonly space: CoordinateSpace, private readonly screen: Size) {}

  /** The size of the space: its coordinates go from 0 to one less. */
  get size(): Size {
    const { space } = this;
    if (space.kind === "screen") return this.screen;
    if (space.kind === "picture") return space.size;
    if (space.kind === "frame") return space.frame.window;
    return { width: space.max + 1, height: space.max + 1 };
  }

  /**
   * The pixel of the screen at a point of the space. Fractions of a pixel are cut off, and the right
   * and lower edge, which models name now and then, mean the last pixel.
   * @throws FieldError on `field` when the point is outside
   */
  toScreen(point: Point, field: string): Point {
    this.#check(point, field);
    const { space, screen } = this;
    const at = this.#clamp({ x: Math.floor(point.x), y: Math.floor(point.y) });
    if (space.kind === "screen") return at;
    if (space.kind === "frame") return toScreen(space.frame, at);
    if (space.kind === "picture") {
      return {
        x: centre(at.x, space.size.width, screen.width),
        y: centre(at.y, space.size.height, screen.height),
      };
    }
    return { x: thousandth(at.x, screen.width), y: thousandth(at.y, screen.height) };
  }

  /** The point of the space that shows a pixel of the screen; the nearest one if none does. */
  fromScreen(point: Point): Point {
    const { space, screen, size } = this;
    if (space.kind === "screen") return point;
    if (space.kind === "frame") return this.#clamp(fromFrame(space.frame, point));
    const [width, height] = space.kind === "picture"
      ? [size.width, size.height]
      : [THOUSAND, THOUSAND];
    return this.#clamp({
      x: centre(point.x, screen.width, width),
      y: centre(point.y, screen.height, height),
    });
  }

  /**
   * The area of the screen inside a box of the space, with partly covered pixels.
   * @throws FieldError on `field` when the box is empty or extends beyond the space
   */
  areaOnScreen([left, top, right, bottom]: Box, field: string): Region {
    const { space, screen, size } = this;
    const part = { x: left, y: top, width: right - left, height: bottom - top };
    if (part.width <= 0 || part.height <= 0) {
      throw new FieldError(field, "it must go from the top left to the bottom right corner");
    }
    if (left < 0 || top < 0 || right > size.width || bottom > size.height) {
      throw new FieldError(field, `it extends beyond ${this.#describe()}`);
    }
    if (space.kind === "frame") return areaOnScreen(space.frame, part);
    const whole = { region: { x: 0, y: 0, ...screen }, size, window: { x: 0, y: 0, ...size } };
    return areaOnScreen(whole, part);
  }

  #check({ x, y }: Point, field: string): void {
    const { width, height } = this.size;
    if (x >= 0 && y >= 0 && x <= width && y <= height) return;
    throw new FieldError(field, `[${x}, ${y}] is outside ${this.#describe()}`);
  }

  #describe(): string {
    const { width, height } = this.size;
    if (this.space.kind === "thousandths") return `0 to ${this.space.max}`;
    const what = this.space.kind === "screen" ? "screen" : "picture";
    return `the ${what}, which is ${width}x${height} pixels`;
  }

  #clamp({ x, y }: Point): Point {
    const { width, height } = this.size;
    return {
      x: Math.max(0, Math.min(width - 1, x)),
      y: Math.max(0, Math.min(height - 1, y)),
    };
  }
}

/** The pixel of a line of `to` pixels at the centre of a pixel of a line of `from` pixels. */
function centre(pixel: number, from: number, to: number): number {
  return Math.floor((pixel + 0.5) * to / from);
}

/** As the vendors' own examples compute it: `int(x / 1000 * width)`, the last pixel for 1000. */
function thousandth(value: number, length: number): number {
  return Math.min(length - 1, Math.floor(value * length / THOUSAND));
}

function fromFrame({ region, size, window }: Frame, { x, y }: Point): Point {
  return {
    x: centre(x - region.x, region.width, size.width) - window.x,
    y: centre(y - region.y, region.height, size.height) - window.y,
  };
}

// Scrolling that models count in pixels.

/** About as much as programs scroll for one notch of the wheel. */
const PIXELS_PER_NOTCH = 100;

/** The nearest number of notches; at least one where there is anything to scroll. */
export function toNotches(pixels: number): number {
  if (pixels === 0) return 0;
  return Math.sign(pixels) * Math.max(1, Math.round(Math.abs(pixels) / PIXELS_PER_NOTCH));
}
