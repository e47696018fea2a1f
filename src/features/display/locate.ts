/** Where an image is on the display. */

import type { Region } from "../../platform/types.ts";
import { frameOf } from "../frames.ts";
import type { Context } from "../operation.ts";
import { findImage, inFrame } from "./find_image.ts";
import { readImage } from "./image_file.ts";
import { regionOnScreen } from "./region.ts";

export interface LocateInput {
  readonly image_path: string;
  readonly confidence: number;
  readonly all: boolean;
  readonly region?: Region | undefined;
  readonly frame?: string | undefined;
  readonly display_num: number;
}

/** One match or `null`; with `all` a list. */
export async function locateImage(context: Context, input: LocateInput) {
  const { all, confidence } = input;
  const frame = input.frame === undefined
    ? undefined
    : frameOf(context, input.frame, input.display_num);
  const display = await context.platform.displays.open(frame?.displayNum ?? input.display_num);
  const wanted = input.region ?? { x: 0, y: 0 };
  const whole = { display, size: display.size, frame, within: ["region"] };
  const region = regionOnScreen(wanted, whole);
  const image = await readImage(input.image_path, {
    home: context.config.home,
    field: "image_path",
  });
  const matches = await findImage(context, display, {
    ...{ image, region, confidence, all },
    field: "image_path",
  });
  const found = matches.map((match) => inFrame(match, frame));
  return all ? found : found[0] ?? null;
}
