/** Places of a picture where a template may be, and how well they match. */

import type { Region, Size } from "../../core/geometry.ts";

export interface Scored {
  readonly x: number;
  readonly y: number;
  readonly score: number;
}

export interface Match extends Region {
  /** 1 is identical, 0 is unrelated. */
  readonly confidence: number;
}

/** Higher scores first; for equal scores, the upper one, then the left one. */
export function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.y - b.y || a.x - b.x;
}

/** Drops places that overlap a better one by more than half in both directions. */
export function separate(sorted: readonly Scored[], { width, height }: Size): Scored[] {
  const kept: Scored[] = [];
  for (const one of sorted) {
    const isNew = kept.every(({ x, y }) =>
      Math.abs(x - one.x) * 2 >= width || Math.abs(y - one.y) * 2 >= height
    );
    if (isNew) kept.push(one);
  }
  return kept;
}

export function asMatch({ x, y, score }: Scored, { width, height }: Size): Match {
  return { x, y, width, height, confidence: Math.round(Math.min(1, score) * 1e6) / 1e6 };
}
