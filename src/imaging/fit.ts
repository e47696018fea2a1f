/**
 * Computes the size of a picture: within the requested limits, in the same ratio, never enlarged.
 */

import { ValueFault } from "../core/errors.ts";
import type { Size } from "../core/geometry.ts";

/**
 * The longest edge and the most tiles of 28 by 28 pixels that Claude accepts without shrinking a
 * picture.
 */
const CLAUDE = { edge: 1568, tiles: 1568, tile: 28 } as const;
/** A smaller limit, in bytes, leaves no useful picture. */
const MIN_BYTES = 1_000;
const MAX_BYTES = 1_000_000_000;

export type Fit =
  | { readonly kind: "claude" }
  | { readonly kind: "max_bytes"; readonly bytes: number };

export interface SizeLimits {
  readonly maxWidth: number | undefined;
  readonly maxHeight: number | undefined;
  readonly fit: Fit | undefined;
}

/** @throws ValueFault on `fit` when it is neither `claude` nor `max_bytes:<n>`. */
export function parseFit(text: string | undefined): Fit | undefined {
  if (text === undefined) return undefined;
  if (text === "claude") return { kind: "claude" };
  const digits = /^max_bytes:(\d{1,15})$/.exec(text)?.[1];
  const bytes = Number(digits);
  if (digits !== undefined && bytes >= MIN_BYTES && bytes <= MAX_BYTES) {
    return { kind: "max_bytes", bytes };
  }
  throw new ValueFault(
    "fit",
    `fit should be claude or max_bytes:<n> with n from ${MIN_BYTES} to ${MAX_BYTES}`,
  );
}

/** The size of the picture of an area that measures `size` on the screen. */
export function fitSize(size: Size, { maxWidth, maxHeight, fit }: SizeLimits): Size {
  const edge = fit?.kind === "claude" ? CLAUDE.edge : Infinity;
  const width = Math.min(maxWidth ?? Infinity, edge);
  const height = Math.min(maxHeight ?? Infinity, edge);
  const scale = Math.min(1, width / size.width, height / size.height);
  const fitted = scaleSize(size, scale);
  return fit?.kind === "claude" ? withinTiles(size, fitted) : fitted;
}

export function scaleSize({ width, height }: Size, scale: number): Size {
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/** Narrows the picture pixel by pixel until it has few enough tiles: at most some hundred steps. */
function withinTiles(whole: Size, start: Size): Size {
  for (let size = start;; size = scaleSize(whole, (size.width - 1) / whole.width)) {
    if (countTiles(size) <= CLAUDE.tiles) return size;
  }
}

function countTiles({ width, height }: Size): number {
  return Math.ceil(width / CLAUDE.tile) * Math.ceil(height / CLAUDE.tile);
}
