/** Makes the service ready for the first picture: a thread, a connection and a compressor take some 100 ms to start. */

import type { Platform } from "../../platform/types.ts";
import type { Session } from "../session.ts";
import { changesOf } from "./view.ts";

const PIXEL = { width: 1, height: 1 };
const AREA = { x: 0, y: 0, ...PIXEL };

/** Takes a picture of one pixel of display 1; where that cannot be done, the first who asks is told why. */
export async function warmUp(
  platform: Platform,
  { pictures }: Session,
): Promise<"ready" | "not ready"> {
  try {
    const display = await platform.displays.open(1);
    await changesOf(display);
    await pictures.run("render", display, {
      ...{ region: AREA, size: PIXEL, window: AREA },
      ...{ format: "png", quality: 1, cursor: "hidden", maxBytes: undefined },
    });
    return "ready";
  } catch {
    return "not ready";
  }
}
