/** Locates an image on the display. */

import type { Region } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { findImage } from "./find_image.ts";
import { readImage } from "./image_file.ts";
import { followChanges, openView } from "./view.ts";

export interface LocateInput {
  readonly image_path: string;
  readonly confidence: number;
  readonly all: boolean;
  readonly region?: Region | undefined;
  readonly frame?: string | undefined;
  readonly display_num: number;
}

/** One match or `null`; with `all`, a list. */
export async function locateImage(context: Context, input: LocateInput) {
  const { all, confidence } = input;
  const { region: wanted = { x: 0, y: 0 } } = input;
  const { display, frame, regionOf } = await openView(context, input, {
    ...wanted,
    within: ["region"],
  });
  const state = await (await followChanges(display))?.look();
  const region = regionOf(state?.size ?? display.size);
  const image = await readImage(input.image_path, {
    config: context.config,
    field: "image_path",
  });
  const found = await findImage(context, display, {
    ...{ image, region, frame, part: input.region, confidence, all },
    field: "image_path",
    signal: context.signal,
  });
  return all ? found : found[0] ?? null;
}
