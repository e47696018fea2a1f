/** Opens a screen by its address, in any thread. */

import type { CursorState, Screen, ScreenAddress, Size } from "./types/mod.ts";

/** The imports are literal, so that a compiled program contains them. */
export async function openScreen({ system, name }: ScreenAddress): Promise<Screen> {
  switch (system) {
    case "linux":
      return await (await import("./linux/x11/open_screen.ts")).openLinuxScreen(name);
    case "macos":
      return (await import("./macos/open_screen.ts")).openMacosScreen(name);
    case "windows":
      return (await import("./windows/open_screen.ts")).openWindowsScreen(name);
  }
}

/** A screen that says how large it is and where the cursor is, because no display tells of its changes. */
export interface MeasuredScreen extends Screen {
  /** @throws ServiceError `unavailable`: the screen is not there. */
  size(): Size;
  cursor(): CursorState;
}

/** Opens a screen whose system does not tell of changes. */
export async function openMeasuredScreen({ system, name }: ScreenAddress): Promise<MeasuredScreen> {
  if (system === "windows") {
    return (await import("./windows/open_screen.ts")).openWindowsScreen(name);
  }
  if (system === "macos") return (await import("./macos/open_screen.ts")).openMacosScreen(name);
  throw new Error(`Screens of ${system} cannot be measured`);
}
