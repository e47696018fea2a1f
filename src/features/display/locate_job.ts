/** Searches the screen for an image. */

import type { Region, Screen } from "../../platform/types/mod.ts";
import { decodeImage } from "../../imaging/decode.ts";
import type { ImageFile } from "../../imaging/header.ts";
import { match } from "../../imaging/match/match.ts";
import type { Match } from "../../imaging/match/places.ts";
import { scaleDown } from "../../imaging/scale/scale.ts";
import type { Scaling } from "../../imaging/scale/shares.ts";

export interface LocateJob {
  readonly image: ImageFile;
  readonly region: Region;
  readonly confidence: number;
  readonly all: boolean;
  /**
   * Set when the image has the scale of a picture: the region, which is the scaling's source, is
   * scaled the same way.
   */
  readonly scaling?: Scaling | undefined;
  /** The field that named the image, for errors. */
  readonly field: string | readonly string[];
}

/** The matches in pixels of the screen; with a scaling, in pixels of its window. */
export async function locate(screen: Screen, job: LocateJob): Promise<readonly Match[]> {
  const { region, confidence, all, scaling } = job;
  const template = await decodeImage(job.image, job.field);
  const found = await screen.capture(region, { cursor: "hidden" }, (picture) => {
    const seen = scaling === undefined ? picture : scaleDown(picture, scaling);
    return match(seen, template, { confidence, all });
  });
  if (scaling !== undefined) return found;
  return found.map((one) => ({ ...one, x: one.x + region.x, y: one.y + region.y }));
}
