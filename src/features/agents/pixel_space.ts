/** The coordinates of open models, which depend on how a model was trained and is served. */

import { z } from "zod";
import { FieldError } from "../../core/errors.ts";
import type { Point, Size } from "../../core/geometry.ts";
import type { AgentComputer } from "./agent_computer.ts";
import type { Spot } from "./agent_display.ts";

// The size to which Qwen2.5-VL and the models made from it (UI-TARS 1.5) scale a picture before they
// look at it; their coordinates are pixels of that size. From Qwen's published image processor.

/** Side of a patch of the picture, in pixels: both sides become multiples of it. */
const FACTOR = 28;

/** Bounds of the area in pixels, as the model is served with. */
interface PixelBounds {
  readonly minPixels: number;
  readonly maxPixels: number;
}

const DEFAULT_PIXEL_BOUNDS: PixelBounds = {
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

/** As Python's `round`: of two equally near integers the even one. */
function roundToEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

const MAX_PIXELS = 1_000_000_000;

/** For the bodies of the operations of open models. */
export const COORDINATE_FIELDS = {
  coordinates: z.enum(["0..1000", "pixels", "resized"]).default("0..1000").describe(
    "The unit of the model's coordinates: thousandths of the picture (UI-TARS 1.0 and 2, Doubao, Qwen3-VL), its pixels, or the pixels of the size to which the model scales it (UI-TARS 1.5, Qwen2.5-VL: both sides become multiples of 28).",
  ),
  min_pixels: z.int().min(1).max(MAX_PIXELS).default(DEFAULT_PIXEL_BOUNDS.minPixels)
    .describe(
      "With `resized`: the minimum area of the pictures that the model is configured for, in pixels.",
    ),
  max_pixels: z.int().min(784).max(MAX_PIXELS).default(DEFAULT_PIXEL_BOUNDS.maxPixels)
    .describe(
      "With `resized`: the maximum area of the pictures that the model is configured for, in pixels.",
    ),
};

export interface CoordinateInput {
  readonly coordinates: "0..1000" | "pixels" | "resized";
  readonly min_pixels: number;
  readonly max_pixels: number;
}

/** The space in which the computer takes points; those of `resized` are scaled first. */
export function chooseSpace({ coordinates }: CoordinateInput): "0..1000" | "pictures" {
  return coordinates === "0..1000" ? coordinates : "pictures";
}

/**
 * A place that the model named.
 * @throws FieldError on `field` when it is outside the picture that the model sees
 */
export async function findSpot(
  computer: AgentComputer,
  input: CoordinateInput,
  { point, field }: Spot,
): Promise<Spot> {
  if (input.coordinates !== "resized") return { point, field };
  const { size } = await computer.coordinates();
  const bounds = { minPixels: input.min_pixels, maxPixels: input.max_pixels };
  const seen = smartResize(size, bounds);
  if (point.x < 0 || point.y < 0 || point.x >= seen.width || point.y >= seen.height) {
    throw new FieldError(
      field,
      `[${point.x}, ${point.y}] is outside the picture as the model sees it, which is ${seen.width}x${seen.height} pixels`,
    );
  }
  const scaled: Point = {
    x: Math.floor((Math.floor(point.x) + 0.5) * size.width / seen.width),
    y: Math.floor((Math.floor(point.y) + 0.5) * size.height / seen.height),
  };
  return { point: scaled, field };
}
