/** Makes the description of a window of what was read about it. */

import type { Region, Window, WindowState } from "../../../types/mod.ts";
import type { KnownWindow } from "./followed_windows.ts";
import { type Edges, NO_EDGES, type WindowFacts, type WindowPlace } from "./window_facts.ts";

export interface Surroundings {
  /** The window that has the keyboard. */
  readonly active: number;
  /** Whether the window manager says which windows are minimized, apart from those of other desktops. */
  readonly tellsMinimized: boolean;
}

export function describeWindow(
  window: number,
  facts: WindowFacts,
  place: WindowPlace,
  { active, tellsMinimized }: Surroundings,
): Window {
  const isMinimized = tellsMinimized ? facts.isPutAway : facts.isIconic;
  const states: WindowState[] = [
    ...(window === active ? ["active" as const] : []),
    ...(isMinimized ? ["minimized" as const] : []),
    ...facts.states,
    ...(place.isShown || isMinimized ? [] : ["hidden" as const]),
  ];
  return {
    id: formatId(window),
    title: facts.title,
    app: facts.app,
    pid: facts.pid,
    bounds: place.bounds,
    frame: frameOf(facts, place),
    desktop: facts.desktop,
    states,
    isSplash: facts.isSplash,
  };
}

/**
 * Keeps what can be true of what was read: a window manager that has ended leaves what it wrote,
 * and a program can claim a shadow that leaves nothing of its window.
 */
export function keepCredible({ facts, place }: KnownWindow, isManaged: boolean): KnownWindow {
  const kept = isManaged ? facts : {
    ...facts,
    states: facts.states.filter((state) => state === "modal"), // which programs say themselves
    desktop: null,
    isIconic: facts.isIconic && !place.isShown,
    isPutAway: false,
    frame: NO_EDGES,
  };
  const { width, height } = shrink(place.bounds, facts.shadow);
  return { facts: width > 0 && height > 0 ? kept : { ...kept, shadow: NO_EDGES }, place };
}

/** What shows of a window: with what the window manager draws, without the room for a shadow. */
export function frameOf({ frame, shadow }: WindowFacts, { bounds, border }: WindowPlace): Region {
  const around = { left: border, right: border, top: border, bottom: border };
  return shrink(grow(grow(bounds, frame), around), shadow);
}

export function formatId(window: number): string {
  return `0x${window.toString(16)}`;
}

/** `undefined`: it cannot be the id of a window. */
export function parseId(id: string): number | undefined {
  const window = /^0x[0-9a-f]{1,8}$/i.test(id) ? Number.parseInt(id, 16) : 0;
  return window > 1 ? window : undefined; // 0 and 1 are no windows
}

function grow({ x, y, width, height }: Region, { left, right, top, bottom }: Edges): Region {
  return {
    x: x - left,
    y: y - top,
    width: width + left + right,
    height: height + top + bottom,
  };
}

function shrink(region: Region, { left, right, top, bottom }: Edges): Region {
  return grow(region, { left: -left, right: -right, top: -top, bottom: -bottom });
}
