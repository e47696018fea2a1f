/** The first, coarse pass: finds every place that could be a match, from some blurred samples. */

import type { Plane } from "./plane.ts";
import { pickTaps, prepareSamples, type Samples } from "./taps.ts";

export interface Candidate {
  readonly x: number;
  readonly y: number;
  readonly score: number;
  /** Maximum distance in x and y to the best place. */
  readonly reach: readonly [number, number];
}

/** Edge of the largest blur, in pixels. */
const MAX_BLUR = 8;
/** A template spans at least this many blurs in each direction. */
const MIN_BLURS = 4;
/** Samples per place: fewer if every pixel is a place. */
const MAX_TAPS = { sparse: 100, dense: 24 } as const;
/** Candidates for one wanted match. */
const MAX_CANDIDATES = 500;
/**
 * For the best ones, a wider neighbourhood is followed: where much looks alike, a place beside the
 * right one can score better at first.
 */
const WIDE_CANDIDATES = 100;
/** A window with less variation per sample is too uniform to compare. */
const FLAT = 0.5;

export interface CandidateOptions {
  readonly mask: Uint8Array | undefined;
  /** Multiple of the usual number of candidates. */
  readonly most: number;
}

/** The best local maxima, best first. */
export function findCandidates(
  seen: Plane,
  wanted: Plane,
  { mask, most }: CandidateOptions,
): Candidate[] {
  const blur = [blurFor(wanted.width), blurFor(wanted.height)] as const;
  const step = [Math.max(1, blur[0] >> 1), Math.max(1, blur[1] >> 1)] as const;
  const dense = step[0] * step[1] < 4;
  const taps = pickTaps(wanted, {
    ...{ mask, blur },
    most: dense ? MAX_TAPS.dense : MAX_TAPS.sparse,
  });
  const blurred = blurPlane(seen, blur, step);
  const columns = Math.floor((seen.width - wanted.width) / step[0]) + 1;
  const rows = Math.floor((seen.height - wanted.height) / step[1]) + 1;
  const samples = prepareSamples(taps, ({ x, y }) => y / step[1] * blurred.width + x / step[0]);
  const scores = scoreAll(blurred, { columns, rows, samples });
  return peaks(scores, columns, rows)
    .sort((a, b) => scores[b]! - scores[a]!)
    .slice(0, MAX_CANDIDATES * most)
    .map((index, rank) => ({
      x: index % columns * step[0],
      y: Math.floor(index / columns) * step[1],
      score: scores[index]!,
      reach: rank < WIDE_CANDIDATES ? [2 * step[0], 2 * step[1]] : step,
    }));
}

/** An even number, so that samples lie on the grid of places. */
function blurFor(edge: number): number {
  const blur = Math.min(MAX_BLUR, Math.floor(edge / MIN_BLURS));
  return blur < 2 ? 1 : blur & ~1;
}

interface Grid {
  readonly width: number;
  readonly values: Float32Array;
}

/**
 * Means of boxes that start at every step, from a summed-area table (F. Crow, "Summed-area tables",
 * 1984).
 */
function blurPlane(
  { values, width, height }: Plane,
  [blurX, blurY]: readonly [number, number],
  [stepX, stepY]: readonly [number, number],
): Grid {
  const stride = width + 1;
  const sums = new Int32Array(stride * (height + 1)); // overflows cancel out in the differences
  for (let y = 0; y < height; y++) {
    let sum = 0;
    let to = (y + 1) * stride + 1;
    for (let at = y * width; at < (y + 1) * width; at++, to++) {
      sum += values[at]!;
      sums[to] = sums[to - stride]! + sum;
    }
  }
  const columns = Math.floor((width - blurX) / stepX) + 1;
  const rows = Math.floor((height - blurY) / stepY) + 1;
  const out = new Float32Array(columns * rows);
  for (let row = 0, to = 0; row < rows; row++) {
    let top = row * stepY * stride;
    let bottom = top + blurY * stride;
    for (let column = 0; column < columns; column++, to++, top += stepX, bottom += stepX) {
      const box = sums[bottom + blurX]! - sums[bottom]! - sums[top + blurX]! + sums[top]! | 0;
      out[to] = box / (blurX * blurY);
    }
  }
  return { width: columns, values: out };
}

function scoreAll(
  { values: seen, width: stride }: Grid,
  { columns, rows, samples }: { columns: number; rows: number; samples: Samples },
): Float32Array {
  const { offsets, values, norm } = samples;
  const count = offsets.length;
  const scores = new Float32Array(columns * rows);
  for (let row = 0, to = 0; row < rows; row++) {
    let place = row * stride;
    for (let column = 0; column < columns; column++, to++, place++) {
      let sum = 0, squares = 0, product = 0;
      for (let i = 0; i < count; i++) {
        const value = seen[place + offsets[i]!]!;
        sum += value;
        squares += value * value;
        product += value * values[i]!;
      }
      const variance = squares - sum * sum / count;
      scores[to] = variance < FLAT * count ? -1 : product / (norm * Math.sqrt(variance));
    }
  }
  return scores;
}

/** Places that score at least as high as their eight neighbours. */
function peaks(scores: Float32Array, columns: number, rows: number): number[] {
  const found: number[] = [];
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) {
      const score = scores[at]!;
      if (score <= 0) continue;
      const left = column > 0, right = column < columns - 1;
      if (left && scores[at - 1]! > score || right && scores[at + 1]! > score) continue;
      if (row > 0 && higher(scores, at - columns, score, left, right)) continue;
      if (row < rows - 1 && higher(scores, at + columns, score, left, right)) continue;
      found.push(at);
    }
  }
  return found;
}

function higher(
  scores: Float32Array,
  at: number,
  score: number,
  left: boolean,
  right: boolean,
): boolean {
  return scores[at]! > score || left && scores[at - 1]! > score || right && scores[at + 1]! > score;
}
