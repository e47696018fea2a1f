/** Finds an image on a display; shared by locating and waiting. */

import { ValueFault } from "../../core/errors.ts";
import type { Display, Region } from "../../platform/types/mod.ts";
import type { Frame } from "../input/frames.ts";
import type { Context } from "../context.ts";
import type { ImageFile } from "../../imaging/header.ts";
import type { Match } from "../../imaging/match/places.ts";
import { sourceRegion } from "../../imaging/scale/shares.ts";

export interface Wanted {
  readonly image: ImageFile;
  /** On the screen. */
  readonly region: Region;
  /** The picture whose pixels the request and the answer use. */
  readonly frame: Frame | undefined;
  /** Where to search in the picture; everywhere if absent. */
  readonly part: Region | undefined;
  readonly confidence: number;
  readonly all: boolean;
  /** The field that named the image. */
  readonly field: string | readonly string[];
  /** Aborts when the client disconnects or the time is up. */
  readonly signal: AbortSignal;
}

export type Found = Match;

/** A match this good proves the scale of the image: only the right scale reaches it. */
const SURE = 0.98;

/**
 * The matches, best first, in pixels of the frame if there is one, otherwise of the screen. With a
 * scaled frame the image may come from that picture or from the screen; the better fit decides.
 * @throws ValueFault on the field when the image is damaged or larger than the area searched.
 */
export async function findImage(
  { session }: Context,
  display: Display,
  wanted: Wanted,
): Promise<readonly Found[]> {
  const { image, region, frame, confidence, all, field, signal } = wanted;
  if (image.width > region.width || image.height > region.height) {
    throw new ValueFault(
      field,
      `The image has ${image.width}x${image.height} pixels, more than the ${region.width}x${region.height} that are searched`,
    );
  }
  const job = { image, confidence, all, field };
  const scaled = frame === undefined ? undefined : scaledSearch(frame, wanted);
  let inPicture: readonly Found[] = [];
  if (scaled !== undefined) {
    const { left, top, ...where } = scaled;
    const found = await session.pictures.run("locate", display, { ...job, ...where }, signal);
    inPicture = found.map((one) => ({ ...one, x: one.x + left, y: one.y + top }));
    if (bestConfidence(inPicture) >= SURE) return inPicture;
  }
  const found = await session.pictures.run("locate", display, { ...job, region }, signal);
  if (bestConfidence(found) <= bestConfidence(inPicture)) return inPicture;
  return found.map((one) => inFrame(one, frame));
}

function bestConfidence([best]: readonly Match[]): number {
  return best?.confidence ?? -1;
}

/**
 * The search in a part of a scaled picture; `undefined` when the image is larger than that part.
 */
function scaledSearch(frame: Frame, { image, part }: Wanted) {
  const { region: from, size: to, window } = frame;
  if (from.width === to.width && from.height === to.height) return undefined;
  const { x: left, y: top, width, height } = part ?? { ...window, x: 0, y: 0 };
  if (image.width > width || image.height > height) return undefined;
  const scaling = { from, to, window: { x: window.x + left, y: window.y + top, width, height } };
  const source = sourceRegion(scaling);
  const region = { ...source, x: from.x + source.x, y: from.y + source.y };
  return { scaling, region, left, top };
}

/** Converts a match on the screen to pixels of the picture that the request refers to. */
function inFrame(match: Match, frame: Frame | undefined): Found {
  if (!frame) return match;
  const { region, size, window } = frame;
  const [scaleX, scaleY] = [size.width / region.width, size.height / region.height];
  return {
    // the edge may show half a pixel of it
    x: Math.max(0, Math.round((match.x - region.x) * scaleX) - window.x),
    y: Math.max(0, Math.round((match.y - region.y) * scaleY) - window.y),
    width: Math.max(1, Math.round(match.width * scaleX)),
    height: Math.max(1, Math.round(match.height * scaleY)),
    confidence: match.confidence,
  };
}
