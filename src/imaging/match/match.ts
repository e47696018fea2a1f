/**
 * Finds a template in a picture by the normalised correlation coefficient (J. P. Lewis, "Fast Normalized
 * Cross-Correlation", 1995; OpenCV's TM_CCOEFF_NORMED), coarse to fine: candidates come from blurred
 * samples of one plane, are moved to their best place with some pixels, and judged by all.
 */

import type { Region } from "../../core/geometry.ts";
import type { Picture } from "../picture.ts";
import type { Template } from "../decode_image.ts";
import { findCandidates } from "./candidates.ts";
import { matchFlat } from "./flat.ts";
import { choosePlane, planeOf } from "./plane.ts";
import { createJudge } from "./judge.ts";
import { type Scored, settle } from "./settle.ts";

export interface Match extends Region {
  /** 1 is the very same, 0 is unrelated. */
  readonly confidence: number;
}

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
  const seen = planeOf(picture, plane);
  const wanted = planeOf(template, plane);
  const candidates = findCandidates(seen, wanted, { mask: template.mask, most: all ? 4 : 1 });
  const settled = settle(seen, wanted, { mask: template.mask, candidates })
    .filter(({ score }) => score >= confidence - SLACK);
  const finalists = all
    ? apart(settled, template).slice(0, MAX_MATCHES)
    : settled.slice(0, finalistsOf(template));
  const judged = finalists
    .map(({ x, y }) => judge.best(x, y))
    .filter(({ score }) => score >= confidence)
    .sort(byScore);
  const { width, height } = template;
  return (all ? apart(judged, template) : judged.slice(0, 1))
    .map(({ x, y, score }) => ({ x, y, width, height, confidence: rounded(score) }));
}

function finalistsOf({ width, height }: Template): number {
  const { pixels, least, most } = FINALISTS;
  return Math.max(least, Math.min(most, Math.floor(pixels / (width * height))));
}

/** The better first; of equals the upper, then the left one. */
export function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.y - b.y || a.x - b.x;
}

/** Those that do not overlap a better one by more than half in both directions. */
export function apart(
  sorted: readonly Scored[],
  { width, height }: { width: number; height: number },
): Scored[] {
  const kept: Scored[] = [];
  for (const one of sorted) {
    const isNew = kept.every(({ x, y }) =>
      Math.abs(x - one.x) * 2 >= width || Math.abs(y - one.y) * 2 >= height
    );
    if (isNew) kept.push(one);
  }
  return kept;
}

export function rounded(score: number): number {
  return Math.round(Math.min(1, score) * 1e6) / 1e6;
}
