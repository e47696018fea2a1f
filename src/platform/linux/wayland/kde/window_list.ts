/** The windows as a script in KWin tells them. */

import { z } from "zod";
import type { Region, Window, WindowState } from "../../../types/mod.ts";
import { type OutputPlace, toPixels } from "../window_place.ts";

const Area = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const Flag = z.boolean().nullish();

const Told = z.object({
  id: z.string(),
  title: z.string().nullish(),
  app: z.string().nullish(),
  pid: z.number().nullish(),
  frame: Area,
  client: Area.nullish(),
  buffer: Area.nullish(),
  order: z.number().nullish(),
  /** Counted from 1; none: all of them. */
  desktops: z.array(z.number()).default([]),
  isListed: Flag,
  isDesktop: Flag,
  active: Flag,
  minimized: Flag,
  maximized: Flag,
  fullscreen: Flag,
  above: Flag,
  modal: Flag,
  attention: Flag,
});
type Told = z.output<typeof Told>;

const List = z.object({ desktop: z.number().nullish(), windows: z.array(Told) });

/** All that is on the screens, topmost first. */
export interface KwinWindows {
  /** What a person would call a window. */
  readonly listed: readonly Window[];
  /** Those, and panels, menus and hints. */
  readonly all: readonly Window[];
}

/** @param json of the script `LIST` */
export function readWindows(json: string, place: OutputPlace): KwinWindows {
  const { desktop, windows } = List.parse(JSON.parse(json));
  const told = windows.filter(({ isDesktop }) => !isDesktop)
    .sort((one, other) => (other.order ?? 0) - (one.order ?? 0));
  const all = told.map((each) => describe(each, desktop ?? undefined, place));
  return { all, listed: all.filter((_, at) => told[at]!.isListed) };
}

function describe(told: Told, current: number | undefined, place: OutputPlace): Window {
  const { id, title, app, pid, frame, desktops, minimized } = told;
  const states: Readonly<Record<WindowState, boolean>> = {
    active: Boolean(told.active),
    minimized: Boolean(minimized),
    maximized: Boolean(told.maximized),
    fullscreen: Boolean(told.fullscreen),
    above: Boolean(told.above),
    modal: Boolean(told.modal),
    attention: Boolean(told.attention),
    hidden: current !== undefined && desktops.length > 0 && !desktops.includes(current),
  };
  return {
    id,
    title: title ?? "",
    app: app || null,
    pid: pid !== null && pid !== undefined && pid > 0 ? pid : null,
    bounds: toPixels(contentOf(told), place),
    frame: toPixels(frame, place),
    desktop: desktops.length === 1 ? desktops[0]! - 1 : null,
    states: (Object.keys(states) as WindowState[]).filter((state) => states[state]),
  };
}

/**
 * Plasma 5 tells only where the buffer is: within the frame that KWin draws, or around that of the
 * program with its shadow.
 */
function contentOf({ frame, client, buffer }: Told): Region {
  if (client) return client;
  if (!buffer || buffer.width === 0 || buffer.height === 0) return frame;
  const x = Math.max(frame.x, buffer.x);
  const y = Math.max(frame.y, buffer.y);
  const width = Math.min(frame.x + frame.width, buffer.x + buffer.width) - x;
  const height = Math.min(frame.y + frame.height, buffer.y + buffer.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : frame;
}
