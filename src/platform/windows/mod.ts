/** Windows: not built yet, and it says so. */

import type { Platform } from "../types.ts";
import { openUnsupported } from "../unsupported.ts";

export function openWindows(): Promise<Platform> {
  return Promise.resolve(openUnsupported(
    "windows",
    "This version cannot see or control the screen of Windows; it can on Linux with X11",
  ));
}
