/**
 * Computes the size of a picture: within the requested limits, in the same ratio, never enlarged.
 */

import { FieldError } from "../core/errors.ts";
import type { Size } from "../core/geometry.ts";

/**
 * The largest picture that a vendor's models read as it is: its longest edge, and how many square
 * tiles it may cover.
 */
interface ModelLimits {
  /** Pixels of the longer side. */
  readonly edge: number;
  /** The side of a tile in pixels. */
  readonly tile: number;
  readonly tiles: number;
}

/** What `fit` calls the models, with the limits of their vendors' documents. */
const MODELS = {
  /** Claude 4.7 and later, which refuse larger pictures in a computer toolset. */
  "claude": { edge: 2_576, tile: 28, tiles: 4_784 },
  /** Claude before 4.7, which scale larger pictures down. */
  "claude-standard": { edge: 1_568, tile: 28, tiles: 1_568 },
  /** GPT-5.4 and later at `detail: high`; `original` takes larger ones. */
  "openai": { edge: 2_048, tile: 32, tiles: 2_500 },
  /** Gemini scales larger pictures down, and publishes no limit of tiles. */
  "gemini": { edge: 3_072, tile: 768, tiles: Infinity },
} as const satisfies Record<string, ModelLimits>;

/** A smaller limit, in bytes, leaves no useful picture. */
const MIN_BYTES = 1_000;
const MAX_BYTES = 1_000_000_000;

export type Fit =
  | { readonly kind: "model"; readonly limits: ModelLimits }
  | { readonly kind: "max_bytes"; readonly bytes: number };

/** Limits in pixels, `undefined` where there is none. */
export interface SizeLimits {
  readonly maxWidth: number | undefined;
  readonly maxHeight: number | undefined;
  /** For both sides. */
  readonly maxEdge: number | undefined;
  readonly fit: Fit | undefined;
  /** Whether a small area is enlarged until it meets the limits in pixels. */
  readonly enlarge?: boolean | undefined;
}

/** The most pixels of an enlarged picture: 4096x4096. */
const MAX_ENLARGED = 2 ** 24;

/** @throws FieldError on `fit` when it is neither a model nor `max_bytes:<n>`. */
export function parseFit(text: string | undefined): Fit | undefined {
  if (text === undefined) return undefined;
  if (isModel(text)) return { kind: "model", limits: MODELS[text] };
  const digits = /^max_bytes:(\d{1,15})$/.exec(text)?.[1];
  const bytes = Number(digits);
  if (digits !== undefined && bytes >= MIN_BYTES && bytes <= MAX_BYTES) {
    return { kind: "max_bytes", bytes };
  }
  const models = Object.keys(MODELS).join(", ");
  const range = `n from ${MIN_BYTES} to ${MAX_BYTES}`;
  throw new FieldError("fit", `fit should be ${models} or max_bytes:<n> with ${range}`);
}

function isModel(text: string): text is keyof typeof MODELS {
  return Object.hasOwn(MODELS, text);
}

/**
 * The size of the picture of an area that measures `size` on the screen. Every area has one: a side
 * never becomes less than one pixel, whatever that does to the ratio.
 */
export function fitSize(
  size: Size,
  { maxWidth, maxHeight, maxEdge, fit, enlarge }: SizeLimits,
): Size {
  const width = Math.min(maxWidth ?? Infinity, maxEdge ?? Infinity);
  const height = Math.min(maxHeight ?? Infinity, maxEdge ?? Infinity);
  if (fit?.kind === "model") {
    return largestSize(
      size,
      (fitted) => fitted.width <= width && fitted.height <= height && isRead(fitted, fit.limits),
    );
  }
  const scale = Math.min(width / size.width, height / size.height);
  return scaleSize(size, Math.min(scale, enlarge ? largestScale(size, scale) : 1));
}

/** How far an area is enlarged: not at all without a limit in pixels. */
function largestScale({ width, height }: Size, wanted: number): number {
  return wanted === Infinity ? 1 : Math.max(1, Math.sqrt(MAX_ENLARGED / (width * height)));
}

/** Whether a model reads a picture of this size as it is. */
function isRead({ width, height }: Size, { edge, tile, tiles }: ModelLimits): boolean {
  return Math.max(width, height) <= edge &&
    Math.ceil(width / tile) * Math.ceil(height / tile) <= tiles;
}

/**
 * The size with the longest longer side that fits, found by bisection; the shorter side is rounded
 * to the nearest pixel, ties to even, as Anthropic's documented resize function does, so that a
 * client which applies that function to the picture leaves it as it is.
 */
function largestSize(size: Size, fits: (size: Size) => boolean): Size {
  if (fits(size)) return size;
  const isPortrait = size.height > size.width;
  const [longer, shorter] = isPortrait ? [size.height, size.width] : [size.width, size.height];
  const withLonger = (side: number): Size => {
    const other = Math.max(1, roundToEven(side / (longer / shorter)));
    return isPortrait ? { width: other, height: side } : { width: side, height: other };
  };
  let [fitting, tooLong] = [1, longer];
  while (fitting + 1 < tooLong) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (fits(withLonger(middle))) fitting = middle;
    else tooLong = middle;
  }
  return withLonger(fitting);
}

/** The nearest integer; of two equally near, the even one, as Python's `round` gives it. */
export function roundToEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

export function scaleSize({ width, height }: Size, scale: number): Size {
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}
