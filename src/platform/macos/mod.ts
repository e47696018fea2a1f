/** macOS: not built yet, and it says so. */

import type { Platform } from "../types.ts";
import { openUnsupported } from "../unsupported.ts";

export function openMacos(): Promise<Platform> {
  return Promise.resolve(openUnsupported(
    "macos",
    "This version cannot see or control the screen of macOS; it can on Linux with X11",
  ));
}
