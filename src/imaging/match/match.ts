/**
 * Finds a template in a picture by the normalised correlation coefficient (J. P. Lewis, "Fast
 * Normalized Cross-Correlation", 1995; OpenCV's TM_CCOEFF_NORMED), coarse to fine: finds candidates
 * from blurred samples of one plane, moves each to its best place using some pixels, and judges it
 * by all pixels.
 */

import type { Picture } from "../picture.ts";
import type { Template } from "../decode.ts";
import { findCandidates } from "./candidates.ts";
import { matchFlat } from "./flat.ts";
import { choosePlane, takePlane } from "./plane.ts";
import { createJudge } from "./judge.ts";
import { asMatch, byScore, type Match, separate } from "./places.ts";
import { settle } from "./settle.ts";

export interface MatchOptions {
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
    .map(({ x, y }) => judge.best(x, y))
    .filter(({ score }) => score >= confidence)
    .sort(byScore);
  return (all ? separate(judged, template) : judged.slice(0, 1))
    .map((place) => asMatch(place, template));
}

function countFinalists({ width, height }: Template): number {
  const { pixels, least, most } = FINALISTS;
  return Math.max(least, Math.min(most, Math.floor(pixels / (width * height))));
}
