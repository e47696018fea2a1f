/** Searches the screen for an image. */

import type { Region, Screen } from "../../platform/types.ts";
import { decodeImage } from "./decode_image.ts";
import type { ImageFile } from "./image_file.ts";
import { type Match, match } from "./match/match.ts";

export type { Match };

export interface LocateJob {
  readonly image: ImageFile;
  readonly region: Region;
  readonly confidence: number;
  readonly all: boolean;
  /** The field that named the image, for errors. */
  readonly field: string | readonly string[];
}

export async function locate(screen: Screen, job: LocateJob): Promise<readonly Match[]> {
  const { region, confidence, all } = job;
  const template = await decodeImage(job.image, job.field);
  const found = await screen.capture(
    region,
    { cursor: "hidden" },
    (picture) => match(picture, template, { confidence, all }),
  );
  return found.map((one) => ({ ...one, x: one.x + region.x, y: one.y + region.y }));
}
