/** Opens a screen by its address, in any thread. */

import type { Screen, ScreenAddress } from "./types.ts";

/** The imports are literal, so that a compiled program contains them. */
export async function openScreen({ system, name }: ScreenAddress): Promise<Screen> {
  switch (system) {
    case "linux":
      return await (await import("./linux/open_screen.ts")).openLinuxScreen(name);
    case "macos":
    case "windows":
      throw new Error(`Screens of ${system} cannot be opened by an address`);
  }
}
