/**
 * Matches a single-colour template, for which correlation is undefined: finds places that show its
 * colour.
 */

import type { Picture } from "../picture.ts";
import type { Template } from "../decode.ts";
import { asMatch, byScore, type Match, type Scored, separate } from "./places.ts";
import { choose } from "./taps.ts";

/** Pixels used to rule out most places. */
const FEW = 64;
/** The greatest difference between two colours: three times 255. */
const FARTHEST = 765;
/** Most places that are judged by all of their pixels. */
const MAX_JUDGED = 20_000;

export interface FlatOptions {
  readonly confidence: number;
  readonly most: number;
}

/** The confidence is 1 minus the mean colour difference relative to the greatest possible one. */
export function matchFlat(
  picture: Picture,
  template: Template,
  { confidence, most }: FlatOptions,
): Match[] {
  const { width, mask } = template;
  const counting = [...template.pixels.keys()].filter((at) => mask?.[at] !== 0);
  if (counting.length === 0) return [];
  const colour = template.pixels[counting[0]!]!;
  const all = counting.map((at) => at % width + Math.floor(at / width) * picture.width);
  const few = Int32Array.from(choose([...all], FEW));
  const shows: Likeness = (at, atLeast) => likeness(picture, colour, { offsets: few, at, atLeast });
  const offsets = Int32Array.from(all);
  const showsAll: Likeness = (at, atLeast) => likeness(picture, colour, { offsets, at, atLeast });
  return separate(findPlaces(picture, template, { shows, showsAll, confidence, most }), template)
    .slice(0, most)
    .map((place) => asMatch(place, template));
}

/** How closely a place matches the colour; 0 if below `atLeast`. */
type Likeness = (at: number, atLeast: number) => number;

/**
 * The places, best first. If several are wanted, the search skips half a template width after each
 * place, so that a large area of the colour yields few.
 */
function findPlaces(
  picture: Picture,
  { width, height }: Template,
  { shows, showsAll, confidence, most }: FlatOptions & { shows: Likeness; showsAll: Likeness },
): Scored[] {
  const places: Scored[] = [];
  let atLeast = confidence;
  let judged = 0;
  for (let y = 0; y + height <= picture.height && judged < MAX_JUDGED; y++) {
    for (let x = 0; x + width <= picture.width && judged < MAX_JUDGED; x++) {
      const at = y * picture.width + x;
      if (shows(at, atLeast) < atLeast) continue;
      judged++;
      const score = showsAll(at, atLeast);
      if (score < atLeast) continue;
      places.push({ x, y, score });
      if (most > 1) x += width >> 1;
      else if (score === 1) return [{ x, y, score }];
      else atLeast = score + Number.EPSILON; // only a better one counts
    }
  }
  return places.sort(byScore);
}

/** Returns 0 as soon as `atLeast` can no longer be reached. */
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
