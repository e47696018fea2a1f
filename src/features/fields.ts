/** Schema fields that several groups of operations share. */

import { z } from "zod";
import { FieldError } from "../core/errors.ts";
import type { Limits } from "../config/limits.ts";
import type { Display, Point, Size } from "../platform/types/mod.ts";

/** The highest X display number: a server listens on TCP port 6000 + n. */
const MAX_DISPLAY_NUM = 59_535;

export const DisplayNumber = z.int().min(0).max(MAX_DISPLAY_NUM).default(1)
  .describe(
    "The number of the display. Display 1 is opened at the start of the service, others on demand.",
  );

export const X = z.int().describe("The X coordinate, in pixels from the left edge of the display.");
export const Y = z.int().describe("The Y coordinate, in pixels from the top edge of the display.");

/** For every operation that takes coordinates. */
export const FrameId = z.string().min(1).max(64).optional().describe(
  "The `X-Frame` of a picture: coordinates are then pixels of that picture, on its display. The last 256 pictures are valid, until their display is resized or its server is restarted.",
);

/** A duration in milliseconds. */
export function DurationMs(limits: Limits, meaning: string) {
  return z.int().min(0).max(limits.maxDurationMs).default(0)
    .describe(`${meaning}, in milliseconds; 0 means immediately.`);
}

/** How many times a key or a combination is pressed. */
export const Repeat = z.int().min(1).max(100).default(1).describe(
  "The number of times that it is pressed and released.",
);

export const KeyName = z.string().min(1).max(64).describe(
  "The name of a key: a word (`enter`, `f5`, `ctrl`), a name of the DOM (`ArrowRight`, `ControlLeft`), an X keysym name (`Page_Down`) or a single character.",
);

/** The nearest point of a screen or a picture of this size. */
export function clampTo({ width, height }: Size, { x, y }: Point): Point {
  return { x: Math.max(0, Math.min(width - 1, x)), y: Math.max(0, Math.min(height - 1, y)) };
}

/** @throws FieldError on `x` or `y` when the point is outside the screen. */
export function checkOnScreen({ displayNum, size }: Display, point: Point): void {
  const { width, height } = size;
  const off = point.x < 0 || point.x >= width
    ? "x"
    : point.y < 0 || point.y >= height
    ? "y"
    : undefined;
  if (!off) return;
  throw new FieldError(
    off,
    `${off} ${point[off]} is off the screen: display ${displayNum} is ${width}x${height} pixels`,
  );
}

/** Prefixes the errors of a nested value with the path to that value. */
export function inField(path: readonly (string | number)[], check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    throw new FieldError([...path, error.field].flat(), error.message);
  }
}
