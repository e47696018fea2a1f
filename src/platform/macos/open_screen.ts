/** Opens a screen by its address: the name contains everything that a picture needs. */

import type { ScreenAddress } from "../types/mod.ts";
import { MacosScreen, type ScreenSource } from "./screen.ts";

export function screenAddress(source: ScreenSource): ScreenAddress<"screencapture"> {
  return { backend: "screencapture", name: JSON.stringify(source) };
}

export function openMacosScreen(name: string): MacosScreen {
  return new MacosScreen(JSON.parse(name) as ScreenSource);
}
