/** Finds an image on a display; what locating and waiting share. */

import { ValueFault } from "../../errors.ts";
import type { Display, Region } from "../../platform/types.ts";
import type { Frame } from "../frames.ts";
import type { Context } from "../operation.ts";
import type { ImageFile } from "./image_file.ts";
import type { Match } from "./locate_job.ts";

export interface Wanted {
  readonly image: ImageFile;
  /** Where on the screen. */
  readonly region: Region;
  readonly confidence: number;
  readonly all: boolean;
  /** The field that named the image. */
  readonly field: string | readonly string[];
  /** When nobody waits for it any more. */
  readonly signal: AbortSignal;
}

export type Found = Match;

/**
 * The matches, the best one first.
 * @throws ValueFault on the field when the image is damaged or larger than where it is searched for.
 */
export async function findImage(
  { session }: Context,
  display: Display,
  { image, region, confidence, all, field, signal }: Wanted,
): Promise<readonly Match[]> {
  if (image.width > region.width || image.height > region.height) {
    throw new ValueFault(
      field,
      `The image has ${image.width}x${image.height} pixels, more than the ${region.width}x${region.height} that are searched`,
    );
  }
  const job = { image, region, confidence, all, field };
  return await session.pictures.run("locate", display, job, signal);
}

/** A match in the pixels of the picture that the request speaks of. */
export function inFrame(match: Match, frame: Frame | undefined): Found {
  if (!frame) return match;
  const { region, size, window } = frame;
  const [scaleX, scaleY] = [size.width / region.width, size.height / region.height];
  return {
    x: Math.max(0, Math.round((match.x - region.x) * scaleX) - window.x), // the edge may show half a pixel of it
    y: Math.max(0, Math.round((match.y - region.y) * scaleY) - window.y),
    width: Math.max(1, Math.round(match.width * scaleX)),
    height: Math.max(1, Math.round(match.height * scaleY)),
    confidence: match.confidence,
  };
}
