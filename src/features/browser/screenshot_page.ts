/** Takes pictures of pages. */

import { ValueFault } from "../../core/errors.ts";
import type { Region } from "../../core/geometry.ts";
import type { Context } from "../context.ts";
import { inBrowser } from "./in_browser.ts";

export interface ScreenshotInput
  extends Partial<{ readonly [N in keyof Region]: number | undefined }> {
  readonly full_page: boolean;
  readonly format: "png" | "jpeg" | "webp";
  readonly quality: number;
  readonly tab_id?: string | undefined;
}

export async function screenshotPage(context: Context, input: ScreenshotInput) {
  const { full_page: fullPage, format, quality, tab_id: tab } = input;
  const region = readRegion(input);
  if (region && fullPage) throw new ValueFault("full_page", "Give either a region or full_page");
  const asked = { tab, format, quality, region, fullPage };
  const { bytes, viewport } = await inBrowser(context, "screenshot", asked);
  return {
    mediaType: `image/${format}` as const,
    bytes,
    headers: { "X-Viewport": `${viewport.width}x${viewport.height}` },
  };
}

function readRegion({ x, y, width, height }: ScreenshotInput): Region | undefined {
  const given = { x, y, width, height };
  if (Object.values(given).every((value) => value === undefined)) return undefined;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) throw new ValueFault(name, "A region has x, y, width and height");
  }
  return given as Region;
}
