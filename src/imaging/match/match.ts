/**
 * Finds a template in a picture by the normalised correlation coefficient (J. P. Lewis, "Fast
 * Normalized Cross-Correlation", 1995; OpenCV's TM_CCOEFF_NORMED), coarse to fine: finds candidates
 * from blurred samples of one plane, moves each to its best place using some pixels, and judges it
 * by all pixels.
 */

import type { Point } from "../../core/geometry.ts";
import type { Template } from "../decode.ts";
import type { Picture } from "../picture.ts";
import {
  asMatch,
  byScore,
  choose,
  choosePlane,
  type Match,
  pickTaps,
  type Plane,
  prepareSamples,
  type Samples,
  type Scored,
  separate,
  takePlane,
} from "./plane.ts";

interface MatchOptions {
  /** Minimum confidence of a match. */
  readonly confidence: number;
  /** Whether to return all matches or only the best one. */
  readonly all: boolean;
}

/** Most matches returned with `all`. */
const MAX_MATCHES = 1_000;
/** Candidates judged by all of their pixels when one match is wanted: fewer for large templates. */
const FINALISTS = { pixels: 1_000_000, least: 8, most: 500 } as const;
/** How far the score from some pixels may be too low. */
const SLACK = 0.05;

/** The best match, or all that overlap by at most half, best first. */
export function match(
  picture: Picture,
  template: Template,
  { confidence, all }: MatchOptions,
): Match[] {
  const plane = choosePlane(template);
  if (!plane) return matchFlat(picture, template, { confidence, most: all ? MAX_MATCHES : 1 });
  const judge = createJudge(picture, template);
  const seen = takePlane(picture, plane);
  const wanted = takePlane(template, plane);
  const candidates = findCandidates(seen, wanted, { mask: template.mask, most: all ? 4 : 1 });
  const settled = settle(seen, wanted, { mask: template.mask, candidates })
    .filter(({ score }) => score >= confidence - SLACK);
  const finalists = all
    ? separate(settled, template).slice(0, MAX_MATCHES)
    : settled.slice(0, countFinalists(template));
  const judged = finalists
    .map(({ x, y }) => judge(x, y))
    .filter(({ score }) => score >= confidence)
    .sort(byScore);
  return (all ? separate(judged, template) : judged.slice(0, 1))
    .map((place) => asMatch(place, template));
}

function countFinalists({ width, height }: Template): number {
  const { pixels, least, most } = FINALISTS;
  return Math.max(least, Math.min(most, Math.floor(pixels / (width * height))));
}

// The second pass: moves every candidate to its best place, using some single pixels of one plane.

/** Pixels for finding the place, and for scoring it. */
const SETTLE_FEW = 160;
const SETTLE_MANY = 2_000;

/** Each place once, best first. */
function settle(
  seen: Plane,
  wanted: Plane,
  { mask, candidates }: { mask: Uint8Array | undefined; candidates: readonly Candidate[] },
): Scored[] {
  const few = pickSamples(seen, wanted, { mask, most: SETTLE_FEW });
  const many = pickSamples(seen, wanted, { mask, most: SETTLE_MANY });
  const places = new Map<number, Scored>();
  const [lastX, lastY] = [seen.width - wanted.width, seen.height - wanted.height];
  for (const { x, y, reach } of candidates) {
    let best = { x, y, score: -1 };
    for (let py = Math.max(0, y - reach[1]); py <= Math.min(lastY, y + reach[1]); py++) {
      for (let px = Math.max(0, x - reach[0]); px <= Math.min(lastX, x + reach[0]); px++) {
        const score = correlate(seen, few, py * seen.width + px);
        if (score > best.score) best = { x: px, y: py, score };
      }
    }
    const at = best.y * seen.width + best.x;
    if (places.has(at)) continue;
    places.set(at, { ...best, score: correlate(seen, many, at) });
  }
  return [...places.values()].sort(byScore);
}

function pickSamples(
  seen: Plane,
  wanted: Plane,
  { mask, most }: { mask: Uint8Array | undefined; most: number },
): Samples {
  const taps = pickTaps(wanted, { mask, blur: [1, 1], most });
  return prepareSamples(taps, ({ x, y }) => y * seen.width + x);
}

function correlate(
  { values: seen }: Plane,
  { offsets, values, norm }: Samples,
  at: number,
): number {
  const count = offsets.length;
  let sum = 0, squares = 0, product = 0;
  for (let i = 0; i < count; i++) {
    const value = seen[at + offsets[i]!]!;
    sum += value;
    squares += value * value;
    product += value * values[i]!;
  }
  const variance = squares - sum * sum / count;
  return variance <= 0 || norm === 0 ? -1 : product / (norm * Math.sqrt(variance));
}

// Matches a single-colour template, for which correlation is undefined: finds places that show its
// colour.

/** Pixels used to rule out most places. */
const FLAT_PIXELS = 64;
/** The greatest difference between two colours: three times 255. */
const FARTHEST = 765;
/** Most places that are judged by all of their pixels. */
const MAX_JUDGED = 20_000;

interface FlatOptions {
  readonly confidence: number;
  readonly most: number;
}

/** The confidence is 1 minus the mean colour difference relative to the greatest possible one. */
function matchFlat(
  picture: Picture,
  template: Template,
  { confidence, most }: FlatOptions,
): Match[] {
  const { width, mask } = template;
  const counting = [...template.pixels.keys()].filter((at) => mask?.[at] !== 0);
  if (counting.length === 0) return [];
  const colour = template.pixels[counting[0]!]!;
  const all = counting.map((at) => at % width + Math.floor(at / width) * picture.width);
  const few = Int32Array.from(choose([...all], FLAT_PIXELS));
  const pixels = { colour, few, all: Int32Array.from(all) };
  return separate(findPositions(picture, template, { ...pixels, confidence, most }), template)
    .slice(0, most)
    .map((place) => asMatch(place, template));
}

/** The colour, and where some or all pixels are that must have it. */
interface FlatPixels {
  readonly colour: number;
  readonly few: Int32Array;
  readonly all: Int32Array;
}

/**
 * The places, best first. If several are wanted, the search skips half a template width after each
 * place, so that a large area of the colour yields few.
 */
function findPositions(
  picture: Picture,
  { width, height }: Template,
  { colour, few, all, confidence, most }: FlatOptions & FlatPixels,
): Scored[] {
  const places: Scored[] = [];
  let atLeast = confidence;
  let judged = 0;
  for (let y = 0; y + height <= picture.height && judged < MAX_JUDGED; y++) {
    for (let x = 0; x + width <= picture.width && judged < MAX_JUDGED; x++) {
      const at = y * picture.width + x;
      if (likeness(picture, colour, { offsets: few, at, atLeast }) < atLeast) continue;
      judged++;
      const score = likeness(picture, colour, { offsets: all, at, atLeast });
      if (score < atLeast) continue;
      places.push({ x, y, score });
      if (most > 1) x += width >> 1;
      else if (score === 1) return [{ x, y, score }];
      else atLeast = score + Number.EPSILON; // only a better one counts
    }
  }
  return places.sort(byScore);
}

/** How closely a place matches the colour: 0 as soon as `atLeast` can no longer be reached. */
function likeness(
  { pixels }: Picture,
  colour: number,
  { offsets, at, atLeast }: { offsets: Int32Array; at: number; atLeast: number },
): number {
  const bound = (1 - atLeast) * offsets.length * FARTHEST;
  let sum = 0;
  for (let i = 0; i < offsets.length; i++) {
    const pixel = pixels[at + offsets[i]!]!;
    sum += Math.abs((pixel >>> 16 & 255) - (colour >>> 16 & 255)) +
      Math.abs((pixel >>> 8 & 255) - (colour >>> 8 & 255)) +
      Math.abs((pixel & 255) - (colour & 255));
    if (sum > bound) return 0;
  }
  return 1 - sum / (offsets.length * FARTHEST);
}

// The final judgement of a place: the correlation coefficient of all pixels in all three colours.

/** Most steps from a place to a better neighbour. */
const MAX_STEPS = 4;
const NEIGHBOURS = [[0, -1], [-1, 0], [1, 0], [0, 1]] as const;

/** Finds the place itself, or a better one reached through its neighbours. */
function createJudge(picture: Picture, template: Template): (x: number, y: number) => Scored {
  const parts = sumUp(template);
  const known = new Map<string, number>();
  const scoreAt = (x: number, y: number): number => {
    const off = x < 0 || y < 0 || x + template.width > picture.width ||
      y + template.height > picture.height;
    if (off) return -1;
    const score = () => correlation(picture, template, { x, y, parts });
    return known.getOrInsertComputed(`${x},${y}`, score);
  };
  return (x, y) => {
    let best = { x, y, score: scoreAt(x, y) };
    for (let step = 0; step < MAX_STEPS && best.score < 1 - 1e-9; step++) {
      const from = best;
      for (const [dx, dy] of NEIGHBOURS) {
        const score = scoreAt(from.x + dx, from.y + dy);
        if (score > best.score) best = { x: from.x + dx, y: from.y + dy, score };
      }
      if (best === from) break;
    }
    return best;
  };
}

/** Values that do not depend on the place. */
interface Parts {
  readonly count: number;
  /** Of red, green and blue. */
  readonly sums: readonly [number, number, number];
  /** Sum of the squared differences from the means, over all colours. */
  readonly energy: number;
}

function sumUp({ pixels, mask }: Template): Parts {
  let count = 0, red = 0, green = 0, blue = 0, squares = 0;
  for (let at = 0; at < pixels.length; at++) {
    if (mask?.[at] === 0) continue;
    const pixel = pixels[at]!;
    const [r, g, b] = [pixel >>> 16 & 255, pixel >>> 8 & 255, pixel & 255];
    count++;
    red += r;
    green += g;
    blue += b;
    squares += r * r + g * g + b * b;
  }
  const energy = squares - (red * red + green * green + blue * blue) / count;
  return { count, sums: [red, green, blue], energy };
}

function correlation(
  picture: Picture,
  { pixels, mask, width, height }: Template,
  { x, y, parts }: { x: number; y: number; parts: Parts },
): number {
  const { count, sums, energy } = parts;
  let red = 0, green = 0, blue = 0, squares = 0, product = 0;
  for (let row = 0, at = 0; row < height; row++) {
    let from = (y + row) * picture.width + x;
    for (let column = 0; column < width; column++, at++, from++) {
      if (mask !== undefined && mask[at] === 0) continue;
      const seen = picture.pixels[from]!;
      const wanted = pixels[at]!;
      const r = seen >>> 16 & 255, g = seen >>> 8 & 255, b = seen & 255;
      red += r;
      green += g;
      blue += b;
      squares += r * r + g * g + b * b;
      product += r * (wanted >>> 16 & 255) + g * (wanted >>> 8 & 255) + b * (wanted & 255);
    }
  }
  const seenEnergy = squares - (red * red + green * green + blue * blue) / count;
  const common = product - (red * sums[0] + green * sums[1] + blue * sums[2]) / count;
  const norm = Math.sqrt(Math.max(0, seenEnergy) * energy);
  return norm === 0 ? 0 : common / norm;
}

// The first, coarse pass: finds every place that could be a match, from some blurred samples.

interface Candidate extends Point {
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

/**
 * The best local maxima, best first.
 * @param most multiple of the usual number of candidates
 */
function findCandidates(
  seen: Plane,
  wanted: Plane,
  { mask, most }: { mask: Uint8Array | undefined; most: number },
): Candidate[] {
  const blur = [blurFor(wanted.width), blurFor(wanted.height)] as const;
  const step = [Math.max(1, blur[0] >> 1), Math.max(1, blur[1] >> 1)] as const;
  const dense = step[0] * step[1] < 4;
  const taps = pickTaps(wanted, {
    mask,
    blur,
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
