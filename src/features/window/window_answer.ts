/** A window as operations answer it. */

import { z } from "zod";
import type { Region, Window } from "../../platform/types/mod.ts";
import { type Redacting, redactTexts } from "../secrets/redact_texts.ts";

const WindowArea = z.object({
  x: z.int().describe("The left edge, in pixels of the display; negative beyond its left edge."),
  y: z.int().describe("The top edge, in pixels of the display."),
  width: z.int().min(0).describe("The size, in pixels."),
  height: z.int().min(0).describe("The size, in pixels."),
});

const STATES = [
  "active",
  "minimized",
  "maximized",
  "fullscreen",
  "above",
  "modal",
  "attention",
  "hidden",
] as const satisfies readonly Window["states"][number][];

export const WindowEntry = z.object({
  id: z.string().describe(
    "Identifies the window for as long as it is open: `0x3a00007` on X11, as `wmctrl` and `xdotool` take it.",
  ),
  title: z.string().describe("The title; empty if it has none."),
  app: z.string().nullable().describe(
    "The program as the desktop names it: the class of WM_CLASS, the app id, or the window class. `null` if it is not known.",
  ),
  pid: z.int().nullable().describe(
    "The process of its program; `null` if it is not known, as for one on another computer.",
  ),
  bounds: WindowArea.nullable().describe(
    "The content, without the frame that the window manager draws; `null` where the system does not tell.",
  ),
  frame: WindowArea.nullable().describe(
    "The area that shows, with the frame; `null` where the system does not tell. `window/move` and `window/resize` are about this area.",
  ),
  desktop: z.int().min(0).nullable().describe(
    "The number of its desktop (workspace), from 0; `null` if it is on all of them or not known.",
  ),
  states: z.array(z.enum(STATES)).describe(
    "`active`: it has the keyboard. `above`: it stays above others. `attention`: it asks for attention. `hidden`: it does not show and is not minimized, as on another desktop.",
  ),
}).meta({ description: "A window of the display." });

export type WindowEntry = z.output<typeof WindowEntry>;

/** Without values of the keychain, which pages and terminals put into their titles. */
export async function toEntries(
  context: Redacting,
  windows: readonly Window[],
): Promise<WindowEntry[]> {
  const texts = windows.flatMap(({ title, app }) => [title, app ?? ""]);
  const { shown } = await redactTexts(context, texts);
  return windows.map((window, at) =>
    toEntry({
      ...window,
      title: shown[2 * at]!,
      app: window.app === null ? null : shown[2 * at + 1]!,
    })
  );
}

function toEntry(
  { id, title, app, pid, bounds, frame, desktop, states }: Window,
): WindowEntry {
  return {
    ...{ id, title, app, pid, desktop, bounds: toArea(bounds), frame: toArea(frame) },
    states: [...states],
  };
}

function toArea(region: Region | null): WindowEntry["bounds"] {
  if (region === null) return null;
  const { x, y, width, height } = region;
  return { x, y, width, height };
}

/** For messages: `"Report" (0x3a00007)`. */
export function nameWindow({ id, title }: Pick<Window, "id" | "title">): string {
  return title === "" ? `"${id}"` : `"${title}" (${id})`;
}
