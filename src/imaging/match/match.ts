/**
 * Finds a template in a picture by the normalised correlation coefficient (J. P. Lewis, "Fast Normalized
 * Cross-Correlation", 1995; OpenCV's TM_CCOEFF_NORMED), coarse to fine: candidates come from blurred
 * samples of one plane, are moved to their best place with some pixels, and judged by all.
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
  /** Worse matches are none. */
  readonly confidence: number;
  /** Whether all matches are wanted, or the best one. */
  readonly all: boolean;
}

/** Matches of `all` end here. */
const MAX_MATCHES = 1_000;
/** Candidates that are judged by all of their pixels when one match is wanted: fewer of large templates. */
const FINALISTS = { pixels: 1_000_000, least: 8, most: 500 } as const;
/** By how much the judgement of some pixels may be too low. */
const SLACK = 0.05;

/** The best match, or all that do not overlap by more than half, the best one first. */
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
