/**
 * The second pass: moves every candidate to its best place, using some single pixels of one plane.
 */

import type { Candidate } from "./candidates.ts";
import { byScore, type Scored } from "./places.ts";
import type { Plane } from "./plane.ts";
import { pickTaps, prepareSamples, type Samples } from "./taps.ts";

/** Pixels for finding the place, and for scoring it. */
const FEW = 160;
const MANY = 2_000;

export interface SettleOptions {
  readonly mask: Uint8Array | undefined;
  readonly candidates: readonly Candidate[];
}

/** Each place once, best first. */
export function settle(
  seen: Plane,
  wanted: Plane,
  { mask, candidates }: SettleOptions,
): Scored[] {
  const few = pickSamples(seen, wanted, { mask, most: FEW });
  const many = pickSamples(seen, wanted, { mask, most: MANY });
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
