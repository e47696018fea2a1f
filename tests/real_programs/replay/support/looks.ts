/** How a program looks: where its window is, how large it and its texts are, and its theme. */

import type { XWindow } from "../../support/xwindow.ts";
import { xdotool } from "../../support/xwindow.ts";

export interface Look {
  readonly theme: string;
  /** The factor of all texts. */
  readonly text: number;
  readonly position: readonly [x: number, y: number];
  /** Added to the size that the window opens with. */
  readonly grown: readonly [width: number, height: number];
}

/** The one that is recorded. */
export const PLAIN: Look = { theme: "Adwaita", text: 1, position: [80, 70], grown: [0, 0] };

export const OTHER_LOOKS: readonly Look[] = [
  { theme: "Adwaita:dark", text: 1, position: [300, 40], grown: [120, 60] },
  { theme: "HighContrast", text: 1.3, position: [10, 200], grown: [0, 0] },
  { theme: "Raleigh", text: 1.15, position: [160, 120], grown: [200, 90] },
  { theme: "HighContrastInverse", text: 1.5, position: [0, 0], grown: [40, 20] },
];

/** The variables by which GTK 3 looks so. */
export function styleOf({ theme, text }: Look): Record<string, string> {
  return { GTK_THEME: theme, GDK_DPI_SCALE: String(text) };
}

export async function arrange(
  display: string,
  window: XWindow,
  { position: [x, y], grown: [width, height] }: Look,
): Promise<void> {
  if (width > 0 || height > 0) {
    const now = await window.rectangle();
    const size = [`${now.width + width}`, `${now.height + height}`];
    await xdotool(display, ["windowsize", `${window.id}`, ...size]);
  }
  await xdotool(display, ["windowmove", `${window.id}`, `${x}`, `${y}`]);
  await window.focus();
}
