/** What tests of keymaps need on this computer. */

import { openKeymap } from "../../../../../src/platform/linux/wayland/keymap/keymap.ts";

/** Why keymaps cannot be read here, or an empty string. */
export function missingKeymaps(): string {
  if (Deno.build.os !== "linux") return "needs Linux";
  try {
    openKeymap({ layouts: "us" });
    return "";
  } catch (error) {
    return `needs libxkbcommon and xkb-data: ${(error as Error).message}`;
  }
}
