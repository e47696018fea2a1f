/** Pictures of pages. */

import type { PagePicture, PageScreenshot } from "../types/browser.ts";
import type { RunningBrowser } from "./running_browser.ts";

const PICTURE_MS = 30_000;

export async function screenshot(
  browser: RunningBrowser,
  { tab: id, format, quality, region, fullPage, scale = 1 }: PageScreenshot,
): Promise<PagePicture> {
  const tab = await browser.choose(id);
  await browser.show(tab);
  const { cssVisualViewport: view, cssContentSize: content } = await tab.call(
    "Page.getLayoutMetrics",
  );
  const viewport = { width: Math.round(view.clientWidth), height: Math.round(view.clientHeight) };
  const all = fullPage ? content : { x: view.pageX, y: view.pageY, ...viewport };
  const part = region ? { ...region, x: region.x + view.pageX, y: region.y + view.pageY } : all;
  const { data } = await tab.call("Page.captureScreenshot", {
    format,
    ...(format === "png" ? {} : { quality }),
    ...(fullPage || region || scale !== 1 ? { clip: { ...part, scale } } : {}),
    captureBeyondViewport: fullPage,
  }, { timeoutMs: PICTURE_MS });
  return { bytes: Uint8Array.fromBase64(data), viewport };
}
